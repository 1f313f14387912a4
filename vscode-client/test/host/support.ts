import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { Extension } from "../../src/inplace";
import type { State } from "../../src/server/state";
import { until } from "./runner";

/** The hazard most tests look at: on line 5 (0-based) `y.add_(1)`. */
export const HAZARD = `import torch


def loss_of(x):
    y = x.exp()
    y.add_(1)
    return y.sum()


x = torch.rand(3, requires_grad=True)
loss_of(x).backward()
`;
export const WRITE = 5;

/** The folder that is open. */
export function folder(): string {
  const first = vscode.workspace.workspaceFolders?.[0];
  assert.ok(first, "no folder is open");
  return first.uri.fsPath;
}

/** The extension under test, active. */
export async function extension(): Promise<Extension> {
  const found = vscode.extensions.getExtension<Extension>("inplace-lsp.inplace-lsp");
  assert.ok(found, "the extension is not installed");
  return found.activate();
}

/** Wait for a state of the server, and return it. */
export async function state<K extends State["kind"]>(kind: K): Promise<Extract<State, { kind: K }>> {
  const ours = await extension();
  await until(`the server is ${kind}; it is ${JSON.stringify(ours.state)}`, () => ours.state.kind === kind);
  return ours.state as Extract<State, { kind: K }>;
}

/** Write a file into the folder and open it. */
export async function open(name: string, text: string): Promise<vscode.TextEditor> {
  const file = path.join(folder(), name);
  fs.writeFileSync(file, text);
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(file)));
}

/** The findings in a document, once there are some (or none, if `wanted` is 0). */
export async function findings(uri: vscode.Uri, wanted = 1): Promise<vscode.Diagnostic[]> {
  const ours = (): vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source === "inplace-lsp");
  await until(`${wanted} findings in ${uri.path}`, () => ours().length === wanted);
  return ours();
}

/** The code of a finding. */
export function code(diagnostic: vscode.Diagnostic): unknown {
  return typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
}

/** Change a setting of the user's. */
export async function configure(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration("inplace").update(key, value, vscode.ConfigurationTarget.Global);
}
