import path from "node:path";
import * as vscode from "vscode";

/** Open a copy of the example that comes with the extension; it is not saved anywhere unless the user does so. */
export async function openExample(extension: string): Promise<void> {
  const file = vscode.Uri.file(path.join(extension, "media", "example.py"));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: "python", content: text });
  await vscode.window.showTextDocument(document);
}
