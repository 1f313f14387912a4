import * as vscode from "vscode";
import { isVerdict, VERIFY } from "../protocol";
import type { ClientSettings } from "../settings";
import { verdictWords } from "./words";

/** Verify the function at the cursor, as the lens above it would. */
export async function verifyAtCursor(): Promise<void> {
  const editor = pythonEditor();
  if (editor === undefined) {
    void vscode.window.showInformationMessage("inplace-lsp: put the cursor into a function of a Python file first.");
    return;
  }
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showInformationMessage("inplace-lsp: to verify runs your code; trust the workspace first.");
    return;
  }
  await vscode.commands.executeCommand(VERIFY, editor.document.uri.toString(), editor.selection.active.line + 1);
}

/** The editor of a Python document that has the focus. */
export function pythonEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId === "python" ? editor : undefined;
}

/** Say what came out, and open the trace if the user wants that. */
export async function tell(
  args: unknown[],
  answer: unknown,
  settings: ClientSettings,
  openTrace: (uri: string, row: number) => Promise<void>,
): Promise<void> {
  const [uri, row] = args;
  if (!isVerdict(answer) || typeof uri !== "string" || typeof row !== "number") {
    return; // refused or cancelled: the server has said why
  }
  const { bad, text } = verdictWords(answer);
  const opens = settings.showTraceAfterVerify === "always" || (settings.showTraceAfterVerify === "hazards" && bad);
  if (opens) {
    await openTrace(uri, row);
  }
  const say = bad ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const buttons = opens ? [] : ["Show Trace"];
  if ((await say(text, ...buttons)) !== undefined) {
    await openTrace(uri, row);
  }
}
