import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./runner";
import { configure, findings, HAZARD, open, state, WRITE } from "./support";

interface Answer {
  readonly function: string;
  readonly verdict: string;
  readonly torch: string;
}

test("explains the hazard at the cursor", async () => {
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  editor.selection = new vscode.Selection(WRITE, 4, WRITE, 4);
  await vscode.commands.executeCommand("inplace.explainHazard");
  await until("a page about IP101", () => tabs().some((label) => label.includes("IP101")));
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
});

test("verifies a function by running it under torch, and shows its trace", async () => {
  const { versions } = await state("running");
  if (versions.torch === undefined) {
    console.log("[test]      left out: torch is not installed");
    return;
  }
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  const answer = await vscode.commands.executeCommand<Answer>(
    "inplace-lsp.verify",
    editor.document.uri.toString(),
    WRITE + 1,
  );
  assert.equal(answer.verdict, "confirmed");
  assert.equal(answer.function, "loss_of");
  assert.equal(answer.torch.split("+")[0], versions.torch.split("+")[0]);
  await until("the trace opens by itself", () => tabs().some((label) => label.startsWith("Trace")));
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
});

test("shows the predicted trace where nothing was verified", async () => {
  const editor = await open("unverified.py", HAZARD.replace("add_", "mul_"));
  await findings(editor.document.uri);
  await configure("showTraceAfterVerify", "never");
  editor.selection = new vscode.Selection(WRITE, 4, WRITE, 4);
  await vscode.commands.executeCommand("inplace.showTrace");
  await until("the trace", () => tabs().some((label) => label.startsWith("Trace")));
  await configure("showTraceAfterVerify", undefined);
});

function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);
}
