import * as vscode from "vscode";
import { isVerdict, type Verdict, VERIFY } from "../protocol";
import type { ClientSettings } from "../settings";

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

/** Open the trace if the user wants that. What came out the server says itself, and also why there is no verdict. */
export async function afterVerify(
  args: unknown[],
  answer: unknown,
  settings: ClientSettings,
  openTrace: (uri: string, row: number) => Promise<void>,
): Promise<void> {
  const [uri, row] = args;
  if (isVerdict(answer) && typeof uri === "string" && typeof row === "number" && wants(settings, answer)) {
    await openTrace(uri, row);
  }
}

function wants({ showTraceAfterVerify }: ClientSettings, { verdict }: Verdict): boolean {
  const isHazard = verdict === "confirmed" || verdict === "silent";
  return showTraceAfterVerify === "always" || (showTraceAfterVerify === "hazards" && isHazard);
}
