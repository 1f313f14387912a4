import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { pythonEditor } from "./commands/verify";
import { COVERAGE, type Coverage } from "./protocol";

/** Tells how many functions of the active editor were analysed only in part, whenever that may have changed. */
export class CoverageWatch {
  readonly #listening = [
    vscode.window.onDidChangeActiveTextEditor(() => void this.#ask()),
    vscode.languages.onDidChangeDiagnostics((event) => {
      const uri = pythonEditor()?.document.uri.toString();
      if (event.uris.some((changed) => changed.toString() === uri)) {
        void this.#ask();
      }
    }),
  ];
  #asked = 0;

  constructor(
    private readonly client: () => LanguageClient | undefined,
    private readonly tell: (partly: number) => void,
  ) {}

  /** Ask no more. */
  dispose(): void {
    for (const listener of this.#listening) {
      listener.dispose();
    }
  }

  async #ask(): Promise<void> {
    const number = ++this.#asked;
    const partly = await this.#partly();
    if (number === this.#asked) {
      this.tell(partly);
    }
  }

  async #partly(): Promise<number> {
    const uri = pythonEditor()?.document.uri.toString();
    if (uri === undefined) {
      return 0;
    }
    try {
      const answer = await this.client()?.sendRequest<Coverage | null>(COVERAGE, { textDocument: { uri } });
      return answer?.partly.length ?? 0;
    } catch {
      return 0; // the server is going down, or is too old to know
    }
  }
}
