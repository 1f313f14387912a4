import path from "node:path";

/** How a program is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What decides how the server is started. */
export interface Installation {
  /** The folder of the extension. */
  readonly extension: string;
  /** `inplace.server.path`, "" for the server inside the extension. */
  readonly serverPath: string;
  /** The interpreter that was found fit, and the root of its environment. */
  readonly python?: { readonly executable: string; readonly prefix: string } | undefined;
}

/**
 * The command line of `inplace-lsp ARGUMENTS`; undefined if there is neither a server nor an interpreter for ours.
 *
 * It runs in the extension's folder: Python may look for modules in the folder it is started in, and that must never be
 * the user's. `VIRTUAL_ENV` tells the analysis where the packages are that the user's code imports.
 */
export function launch(from: Installation, args: readonly string[]): Launch | undefined {
  const env: Record<string, string> = from.python === undefined ? {} : { VIRTUAL_ENV: from.python.prefix };
  if (from.serverPath !== "") {
    return { command: from.serverPath, args, cwd: from.extension, env };
  }
  if (from.python === undefined) {
    return undefined;
  }
  const start = path.join(from.extension, "bundled", "start.py");
  return { command: from.python.executable, args: [start, ...args], cwd: from.extension, env };
}
