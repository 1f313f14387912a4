import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { TRACE, type Trace } from "../protocol";
import { utf16 } from "./columns";
import { highlight, reveal, type Reveal } from "./messages";
import { newNonce, underPolicy } from "./page";

/** The panel beside the editor that shows a version-counter trace, and the ways between its events and their lines. */
export class TracePanel {
  #panel: vscode.WebviewPanel | undefined;
  #trace: Trace | undefined;
  readonly #mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorInfo.foreground"),
  });
  readonly #cursor = vscode.window.onDidChangeTextEditorSelection((event) => {
    this.#highlight(event.textEditor);
  });

  /** Show the trace of the function at a position: what was observed, or else what is predicted. */
  async show(client: LanguageClient, uri: string, position: { line: number; character: number }): Promise<void> {
    const nonce = newNonce();
    const asked = { textDocument: { uri }, position, source: "best", format: "html", nonce };
    const trace = await client.sendRequest<Trace | null>(TRACE, asked);
    if (trace === null) {
      void vscode.window.showInformationMessage(
        "inplace-lsp: there is nothing to trace here; put the cursor into a function.",
      );
      return;
    }
    this.#trace = trace;
    const panel = (this.#panel ??= this.#create());
    panel.title = `Trace: ${trace.title}`;
    panel.webview.html = underPolicy(trace.content, nonce);
    panel.reveal(undefined, true);
  }

  #create(): vscode.WebviewPanel {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("inplace.trace", "Trace", where, {
      enableScripts: true,
      localResourceRoots: [],
    });
    panel.webview.onDidReceiveMessage((said: unknown) => {
      const wanted = reveal(said);
      if (wanted !== undefined) {
        void this.#reveal(wanted);
      }
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#trace = undefined;
      this.#unmark();
    });
    return panel;
  }

  async #reveal(wanted: Reveal): Promise<void> {
    const uri = this.#documentOf(wanted) ?? vscode.Uri.file(wanted.file);
    const shown = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === uri.toString());
    const document = shown?.document ?? (await vscode.workspace.openTextDocument(uri));
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: false });
    const row = Math.min(wanted.row, document.lineCount) - 1;
    const at = new vscode.Position(row, utf16(document.lineAt(row).text, wanted.column));
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.#unmark();
    editor.setDecorations(this.#mark, [new vscode.Range(at, at)]);
  }

  /** The open document that a file of the trace is: the server names documents, the page files. */
  #documentOf(wanted: Reveal): vscode.Uri | undefined {
    const uris = this.#trace?.rows.filter((row) => row.line === wanted.row - 1).map((row) => vscode.Uri.parse(row.uri));
    return uris?.find((uri) => uri.fsPath === wanted.file);
  }

  #highlight(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    if (this.#panel === undefined || !this.#trace?.rows.some((row) => sameDocument(row.uri, uri))) {
      return;
    }
    const row = editor.selection.active.line + 1;
    void this.#panel.webview.postMessage(highlight(editor.document.uri.fsPath, row));
  }

  #unmark(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.#mark, []);
    }
  }

  /** Close the panel. */
  dispose(): void {
    this.#cursor.dispose();
    this.#mark.dispose();
    this.#panel?.dispose();
  }
}

function sameDocument(one: string, other: string): boolean {
  return vscode.Uri.parse(one).toString() === vscode.Uri.parse(other).toString();
}
