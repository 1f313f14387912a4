import * as vscode from "vscode";

/** The part of the Python extension's public API that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const ID = "ms-python.python";

/** What is selected in the Python extension for a folder, the first if none is named; undefined without the extension,
 * or if it knows of no interpreter. */
export async function selectedInterpreter(
  folder: vscode.Uri | undefined = vscode.workspace.workspaceFolders?.[0]?.uri,
): Promise<string | undefined> {
  const api = await activeApi();
  if (api === undefined) {
    return undefined;
  }
  const chosen = api.environments.getActiveEnvironmentPath(folder);
  const resolved = await api.environments.resolveEnvironment(chosen);
  return resolved?.executable.uri?.fsPath;
}

/** Call back whenever another interpreter is selected, also if the Python extension is installed only later. */
export function onSelectionChanged(changed: () => void): vscode.Disposable {
  let listening: vscode.Disposable | undefined;
  let disposed = false;
  const listen = async (): Promise<boolean> => {
    const api = await activeApi();
    if (api === undefined || listening !== undefined || disposed) {
      return false;
    }
    listening = api.environments.onDidChangeActiveEnvironmentPath(changed);
    return true;
  };
  void listen();
  const installed = vscode.extensions.onDidChange(async () => {
    if (await listen()) {
      changed();
    }
  });
  return new vscode.Disposable(() => {
    disposed = true;
    installed.dispose();
    listening?.dispose();
  });
}

async function activeApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<unknown>(ID);
  try {
    const api: unknown = await extension?.activate();
    return isPythonApi(api) ? api : undefined;
  } catch {
    return undefined; // it reports its own faults
  }
}

function isPythonApi(value: unknown): value is PythonApi {
  const environments = (value as { environments?: Record<string, unknown> } | null | undefined)?.environments;
  return (
    typeof environments?.["getActiveEnvironmentPath"] === "function" &&
    typeof environments["resolveEnvironment"] === "function" &&
    typeof environments["onDidChangeActiveEnvironmentPath"] === "function"
  );
}
