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
    await offerTrust();
    return;
  }
  await vscode.commands.executeCommand(VERIFY, editor.document.uri.toString(), editor.selection.active.line + 1);
}

/** The editor of a Python document that has the focus. */
export function pythonEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId === "python" ? editor : undefined;
}

const MANAGE = "Manage Workspace Trust";

async function offerTrust(): Promise<void> {
  const words = "inplace-lsp: to verify a function runs your code, which is off in restricted mode.";
  if ((await vscode.window.showInformationMessage(words, MANAGE)) === MANAGE) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}

type OpenTrace = (uri: string, row: number) => Promise<void>;

/** Say what came out, and open the trace if the user wants that. Why there is no verdict the server says itself. */
export async function afterVerify(
  args: unknown[],
  answer: unknown,
  settings: ClientSettings,
  openTrace: OpenTrace,
): Promise<void> {
  const [uri, row] = args;
  if (!isVerdict(answer) || typeof uri !== "string" || typeof row !== "number") {
    return;
  }
  const opens = wants(settings, answer);
  if (opens && isHazard(answer)) {
    // The trace says it all: a message would stand in front of its last rows, where the write is.
    vscode.window.setStatusBarMessage(`inplace-lsp: ${answer.message}`, STATUS_MILLISECONDS);
  } else if (!answer.shown) {
    void tell(answer, opens ? undefined : () => openTrace(uri, row));
  }
  if (opens) {
    await openTrace(uri, row);
  }
}

/** How long the status bar shows a verdict. */
const STATUS_MILLISECONDS = 15_000;

const SHOW = "Show Trace";
const GO = "Go to the Write";
const COPY = "Copy the pip Command";
const CHOOSE = "Choose Interpreter";

/** A message about a verdict, with buttons for what one wants to see next. */
async function tell(verdict: Verdict, openTrace: (() => Promise<void>) | undefined): Promise<void> {
  const written = verdict.violations[0]?.written;
  const buttons = [
    ...(verdict.install === undefined ? [] : [COPY, CHOOSE]),
    ...(openTrace === undefined ? [] : [SHOW]),
    ...(written === undefined ? [] : [GO]),
  ];
  const calm = verdict.verdict === "not-reproduced";
  const show = calm ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const chosen = await show(`inplace-lsp: ${verdict.message}`, ...buttons);
  if (chosen === SHOW) {
    await openTrace?.();
  } else if (chosen === COPY && verdict.install !== undefined) {
    await vscode.env.clipboard.writeText(verdict.install);
  } else if (chosen === CHOOSE) {
    await chooseInterpreter();
  } else if (chosen === GO && written !== undefined) {
    const at = new vscode.Position(written.location.row - 1, written.location.column - 1);
    const selection = new vscode.Range(at, at);
    await vscode.window.showTextDocument(vscode.Uri.file(written.filename), { selection });
  }
}

/** The Python extension's list of interpreters; without that extension the setting. */
async function chooseInterpreter(): Promise<void> {
  const known = await vscode.commands.getCommands(true);
  if (known.includes("python.setInterpreter")) {
    await vscode.commands.executeCommand("python.setInterpreter");
  } else {
    await vscode.commands.executeCommand("workbench.action.openSettings", "inplace.interpreter");
  }
}

function wants({ showTraceAfterVerify }: ClientSettings, verdict: Verdict): boolean {
  return showTraceAfterVerify === "always" || (showTraceAfterVerify === "hazards" && isHazard(verdict));
}

/** Whether a run has shown that the function goes wrong. */
function isHazard({ verdict }: Verdict): boolean {
  return verdict === "confirmed" || verdict === "silent";
}
