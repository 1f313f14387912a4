import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { test, until } from "./runner";
import { code, findings, folder } from "./support";

function notebook(...cells: string[]): string {
  return JSON.stringify({
    cells: cells.map((source) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source })),
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 2,
  });
}

test("reads the cells of a notebook as one program", async () => {
  const file = path.join(folder(), "study.ipynb");
  const cells = [
    "import torch\nx = torch.rand(3, requires_grad=True)",
    "y = x.exp()",
    "y.add_(1)",
    "y.sum().backward()",
  ];
  fs.writeFileSync(file, notebook(...cells));
  const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
  await vscode.window.showNotebookDocument(document);

  const third = document.cellAt(2).document;
  const [finding] = await findings(third.uri);
  assert.ok(finding);
  assert.equal(code(finding), "IP101");
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    third.uri,
    new vscode.Position(0, 3),
  );
  assert.ok(hovers.length > 0);

  const edit = new vscode.WorkspaceEdit();
  edit.replace(third.uri, new vscode.Range(0, 0, 0, third.lineAt(0).text.length), "y = y.add(1)");
  assert.ok(await vscode.workspace.applyEdit(edit));
  await until("no finding", async () => (await findings(third.uri, 0)).length === 0);
});
