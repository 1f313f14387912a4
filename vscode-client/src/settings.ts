import os from "node:os";
import path from "node:path";

/** Reads a setting below `inplace`. */
export type Get = (key: string) => unknown;

/** The settings that only the extension itself uses. */
export interface ClientSettings {
  readonly interpreter: string;
  readonly serverPath: string;
  readonly logLevel: string;
  readonly showTraceAfterVerify: "always" | "hazards" | "never";
}

/** The section under which the server asks for its settings. */
export const SERVER_SECTION = "inplace-lsp";

/** The settings that are handed on to the server as they are; it checks them itself. */
export const SERVER_KEYS = [
  "select",
  "ignore",
  "models",
  "inlayHints",
  "codeLens",
  "partlyAnalysed",
  "suggest",
  "memoryHints",
  "diagnosticMode",
  "device",
  "launch",
  "verifyTimeout",
] as const;

/** Settings whose change needs a new process. */
export const LAUNCH_KEYS = ["interpreter", "server.path", "server.logLevel"] as const;

/** The settings as the server knows them. `null` says nothing and is left out. */
export function serverSettings(get: Get): Record<string, unknown> {
  const pairs = SERVER_KEYS.map((key) => [key, get(key)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== null && value !== undefined));
}

/** The extension's own settings, with the paths made absolute. */
export function clientSettings(get: Get, folder: string | undefined): ClientSettings {
  const after = get("showTraceAfterVerify");
  return {
    interpreter: expand(text(get("interpreter")), folder),
    serverPath: expand(text(get("server.path")), folder),
    logLevel: text(get("server.logLevel")) || "warning",
    showTraceAfterVerify: after === "always" || after === "never" ? after : "hazards",
  };
}

/** `~` and `${workspaceFolder}` in a path; a relative path with a folder in it starts at the workspace's. */
export function expand(value: string, folder: string | undefined): string {
  let result = value.trim();
  if (result === "~" || result.startsWith("~/") || result.startsWith("~\\")) {
    result = path.join(os.homedir(), result.slice(1));
  }
  if (folder !== undefined) {
    result = result.replaceAll("${workspaceFolder}", folder);
  }
  const isName = !/[/\\]/.test(result);
  return isName || path.isAbsolute(result) || folder === undefined ? result : path.join(folder, result);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
