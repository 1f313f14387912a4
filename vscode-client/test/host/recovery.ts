import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./runner";
import { extension, findings, HAZARD, open, state } from "./support";

test("starts a killed server again", async () => {
  const ours = await extension();
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  const first = ours.pid;
  assert.ok(first);
  process.kill(first, "SIGKILL");
  const { reason, seconds } = await state("waiting");
  assert.match(reason, /killed by SIGKILL/);
  assert.equal(seconds, 1);
  await state("running");
  assert.notEqual(ours.pid, first);
  await findings(editor.document.uri);
});

test("restarts on command, and leaves no process behind", async () => {
  const ours = await extension();
  await state("running");
  const first = ours.pid ?? 0;
  await vscode.commands.executeCommand("inplace.restart");
  await state("running");
  assert.notEqual(ours.pid, first);
  await until("the old server is gone", () => !lives(first));
});

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
