import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { TRACE, type Trace } from "../protocol";
import { utf16 } from "./columns";
import { highlight, reveal, type Reveal } from "./messages";
import { newNonce, underPolicy } from "./page";
import { rowAt, rowOf } from "./places";

/** The panel beside the editor that shows a version-counter trace, and the ways between its events and their lines. */
export class TracePanel {
  #panel: vscode.WebviewPanel | undefined;
  #trace: Trace | undefined;
  #revealed: vscode.Position | undefined;
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
    const known = rowAt(this.#trace?.rows ?? [], wanted, (uri) => vscode.Uri.parse(uri).fsPath);
    const uri = known === undefined ? vscode.Uri.file(wanted.file) : vscode.Uri.parse(known.uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const line = Math.min(known?.line ?? wanted.row - 1, document.lineCount - 1);
    const at = new vscode.Position(line, utf16(document.lineAt(line).text, wanted.column));
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    const editor = await vscode.window.showTextDocument(document, shown?.viewColumn ?? vscode.ViewColumn.One);
    this.#revealed = at;
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.#unmark();
    editor.setDecorations(this.#mark, [new vscode.Range(at, at)]);
  }

  #highlight({ document, selection }: vscode.TextEditor): void {
    const here = (uri: string): boolean => vscode.Uri.parse(uri).toString() === document.uri.toString();
    if (this.#revealed?.isEqual(selection.active) === true) {
      return; // the page has sent the cursor there, and has marked an event of that line itself
    }
    this.#revealed = undefined;
    const row = rowOf(this.#trace?.rows ?? [], here, selection.active.line);
    if (row !== undefined) {
      void this.#panel?.webview.postMessage(highlight(document.uri.fsPath, row.row));
    }
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
