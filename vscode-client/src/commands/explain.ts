import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { EXPLAIN, type Explanation } from "../protocol";
import { pythonEditor } from "./verify";

const SCHEME = "inplace-explain";

/** Shows the pages about hazards as Markdown previews. */
export class Explanations implements vscode.TextDocumentContentProvider {
  readonly #pages = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  /** The text of a page that was shown before. */
  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#pages.get(uri.path) ?? "";
  }

  /** Explain a code: the given one, that of the finding at the cursor, or one the user names. */
  async show(client: LanguageClient, given: unknown): Promise<void> {
    const code = typeof given === "string" ? given : ((await this.#atCursor()) ?? (await asked()));
    if (code === undefined) {
      return;
    }
    const page = await client.sendRequest<Explanation>(EXPLAIN, { code: code.trim() });
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${page.title.replaceAll("/", " ")}.md` });
    this.#pages.set(uri.path, page.markdown);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  async #atCursor(): Promise<string | undefined> {
    const editor = pythonEditor();
    if (editor === undefined) {
      return undefined;
    }
    const line = editor.selection.active.line;
    const here = vscode.languages.getDiagnostics(editor.document.uri).filter((diagnostic) => {
      return (
        codeOf(diagnostic) !== undefined && diagnostic.range.start.line <= line && line <= diagnostic.range.end.line
      );
    });
    const codes = [...new Set(here.map((diagnostic) => codeOf(diagnostic) ?? ""))];
    return codes.length > 1 ? vscode.window.showQuickPick(codes, { title: "Which hazard?" }) : codes[0];
  }

  /** Forget the pages. */
  dispose(): void {
    this.#registration.dispose();
  }
}

/** The code of one of our findings, also of those that only a run has shown, whose source says so behind the name. */
function codeOf(diagnostic: vscode.Diagnostic): string | undefined {
  const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
  return diagnostic.source?.startsWith("inplace-lsp") === true && typeof code === "string" ? code : undefined;
}

async function asked(): Promise<string | undefined> {
  return vscode.window.showInputBox({ title: "Explain which hazard?", placeHolder: "IP101" });
}
