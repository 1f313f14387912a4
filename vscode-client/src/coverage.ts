import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { pythonEditor } from "./commands/verify";
import { COVERAGE, type Coverage } from "./protocol";
import type { Outlook } from "./server/state";

/** Tells how much of the active editor was analysed and found, whenever that may have changed. */
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
    private readonly tell: (outlook: Outlook | undefined) => void,
  ) {}

  /** Ask no more. */
  dispose(): void {
    for (const listener of this.#listening) {
      listener.dispose();
    }
  }

  async #ask(): Promise<void> {
    const number = ++this.#asked;
    const outlook = await this.#outlook();
    if (number === this.#asked) {
      this.tell(outlook);
    }
  }

  async #outlook(): Promise<Outlook | undefined> {
    const uri = pythonEditor()?.document.uri.toString();
    if (uri === undefined) {
      return undefined;
    }
    try {
      const answer = await this.client()?.sendRequest<Coverage | null>(COVERAGE, { textDocument: { uri } });
      return answer === null || answer === undefined ? undefined : { ...answer, partly: answer.partly.length };
    } catch {
      return undefined; // the server is going down, or is too old to know
    }
  }
}
