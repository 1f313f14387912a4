// VS Code's extension host calls `run`; a rejected promise says that a test failed.
import * as vscode from "vscode";
import { failures, runAll } from "./runner";
import "./features";
import "./interpreters";
import "./notebooks";
import "./recovery";
import "./verify";

/** Run all tests of this folder. */
export async function run(): Promise<void> {
  console.log(`[test] VS Code ${vscode.version}, Node ${process.version}`);
  await runAll();
  if (failures() > 0) {
    throw new Error(`${failures()} tests failed`);
  }
}
