import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { test, until } from "./runner";
import { code, configure, findings, folder, HAZARD, open, state, WRITE } from "./support";

test("starts from the bundled server and knows the versions", async () => {
  await open("hazard.py", HAZARD);
  const { versions } = await state("running");
  assert.match(versions.server, /^\d+\.\d+\.\d+$/);
  assert.match(versions.python ?? "", /^3\.\d+\.\d+$/);
});

test("shows a finding with its code, its page and the places that belong to it", async () => {
  const editor = await open("hazard.py", HAZARD);
  const [finding] = await findings(editor.document.uri);
  assert.ok(finding);
  assert.equal(code(finding), "IP101");
  assert.equal(finding.severity, vscode.DiagnosticSeverity.Error);
  assert.equal(finding.range.start.line, WRITE);
  assert.ok((finding.relatedInformation?.length ?? 0) >= 2);
});

test("tells the story in a hover", async () => {
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    editor.document.uri,
    new vscode.Position(WRITE, 6),
  );
  const text = hovers.flatMap((hover) => hover.contents).map((hover) => (hover as vscode.MarkdownString).value);
  assert.match(text.join("\n"), /exp/);
  assert.match(text.join("\n"), /version/);
});

test("repairs by a quick fix", async () => {
  const editor = await open("repair.py", HAZARD);
  const [finding] = await findings(editor.document.uri);
  assert.ok(finding);
  const repair = await until("a preferred repair", async () => {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      editor.document.uri,
      finding.range,
      vscode.CodeActionKind.QuickFix.value,
      10,
    );
    return actions.find((action) => action.isPreferred)?.edit;
  });
  assert.ok(await vscode.workspace.applyEdit(repair));
  assert.match(editor.document.lineAt(WRITE).text, /y = y\.add\(1\)/);
  await findings(editor.document.uri, 0);
});

test("shows versions as inlay hints, and obeys the setting for them", async () => {
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
  const labels = async (): Promise<string[]> => {
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      "vscode.executeInlayHintProvider",
      editor.document.uri,
      whole,
    );
    return hints.map((hint) =>
      typeof hint.label === "string" ? hint.label : hint.label.map((part) => part.value).join(""),
    );
  };
  await until("the write's hint", async () => (await labels()).some((label) => label.includes("v0 → v1")));
  await configure("inlayHints", "off");
  await until("no hints", async () => (await labels()).length === 0);
  await configure("inlayHints", undefined);
  await until("hints again", async () => (await labels()).length > 0);
});

test("hands settings about findings on to the server", async () => {
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  await configure("ignore", ["IP1"]);
  await findings(editor.document.uri, 0);
  await configure("ignore", undefined);
  await findings(editor.document.uri);
});

test("offers to verify above the function", async () => {
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  const command = await until("a lens", async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      editor.document.uri,
      10,
    );
    return lenses.find((lens) => lens.command?.command === "inplace-lsp.verify")?.command;
  });
  assert.match(command.title, /loss_of/);
  assert.deepEqual(command.arguments, [editor.document.uri.toString(), 4]);
});

test("refines its answer with types inferred in a process of its own", async () => {
  const text = `import torch


def f(x, w):
    """
    :type x: torch.Tensor
    :type w: torch.Tensor
    """
    y = x * w
    w += 1
    return y
`;
  const { versions } = await state("running");
  if (versions.torch === undefined) {
    console.log("[test]      left out: jedi has to find torch, and it is not installed");
    return;
  }
  const editor = await open("documented.py", text);
  const [finding] = await findings(editor.document.uri);
  assert.equal(finding?.range.start.line, 9);
});

test("checks files that are not open", async () => {
  const there = path.join(folder(), "elsewhere");
  fs.mkdirSync(there, { recursive: true });
  const closed = path.join(there, "closed.py");
  fs.writeFileSync(closed, `text = "😀"; import torch\n${HAZARD.replace("    y.add_", '    "😀"; y.add_')}`);
  await vscode.commands.executeCommand("inplace.checkWorkspace");
  const uri = vscode.Uri.file(closed);
  const [finding] = await findings(uri);
  assert.equal(finding?.range.start.line, WRITE + 1);
  assert.equal(finding.range.start.character, 10); // the emoji counts twice in VS Code, once in the finding
  const editor = await vscode.window.showTextDocument(uri);
  await until("the server's own finding only", async () => (await findings(editor.document.uri)).length === 1);
  fs.rmSync(there, { recursive: true });
});

test("finds the write behind an error", async () => {
  const editor = await open("hazard.py", HAZARD);
  await findings(editor.document.uri);
  editor.selection = new vscode.Selection(0, 0, 0, 0);
  const error =
    'Traceback (most recent call last):\n  File "/far/hazard.py", line 11, in <module>\n    loss_of(x).backward()\n' +
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: " +
    "[torch.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.";
  await vscode.commands.executeCommand("inplace.findWrite", error);
  assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
  assert.equal(vscode.window.activeTextEditor.selection.start.line, WRITE);
});
