import * as vscode from "vscode";
import { Extension } from "./inplace";

let extension: Extension | undefined;

/** VS Code loads the extension. What is returned is for its tests. */
export function activate(context: vscode.ExtensionContext): Extension {
  extension = new Extension(context);
  context.subscriptions.push(extension);
  extension.begin();
  return extension;
}

/** VS Code unloads the extension: the server is asked to go. */
export async function deactivate(): Promise<void> {
  await extension?.end();
}
