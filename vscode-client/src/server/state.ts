/** What is known of the programs that work together, once they run. */
export interface Versions {
  readonly server: string;
  readonly python?: string | undefined;
  readonly torch?: string | undefined;
}

/** Where the server stands. */
export type State =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly versions: Versions }
  | { readonly kind: "waiting"; readonly reason: string; readonly seconds: number }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" };

/** How a state is shown in the status bar. */
export interface Face {
  readonly text: string;
  readonly detail: string;
  readonly severity: "information" | "warning" | "error";
  readonly busy: boolean;
  readonly action: "restart" | "log";
}

/** The words for a state. `trusted`: whether the workspace is. `partly`: how many functions of the active editor were
 * analysed only in part. */
export function face(state: State, trusted: boolean, partly = 0): Face {
  switch (state.kind) {
    case "starting":
      return { text: "inplace-lsp", detail: "starting", severity: "information", busy: true, action: "log" };
    case "running":
      return {
        text: `inplace-lsp ${state.versions.server}`,
        detail: `${runningText(state.versions, trusted)}${partlyText(partly)}`,
        severity: "information",
        busy: false,
        action: "restart",
      };
    case "waiting":
      return {
        text: "inplace-lsp",
        detail: `${state.reason}; starting again in ${state.seconds} s`,
        severity: "warning",
        busy: true,
        action: "log",
      };
    case "failed":
      return { text: "inplace-lsp", detail: state.reason, severity: "error", busy: false, action: "restart" };
    case "stopped":
      return { text: "inplace-lsp", detail: "stopped", severity: "warning", busy: false, action: "restart" };
  }
}

function runningText(versions: Versions, trusted: boolean): string {
  return trusted ? versionsText(versions) : "the workspace is not trusted: verify is off";
}

function partlyText(partly: number): string {
  return partly === 0 ? "" : `; ${partly} function${partly === 1 ? "" : "s"} analysed in part`;
}

function versionsText(versions: Versions): string {
  const python = versions.python === undefined ? "no usable Python for verify" : `Python ${versions.python}`;
  const torch = versions.torch === undefined ? "no torch" : `torch ${versions.torch}`;
  return versions.python === undefined ? python : `${python}, ${torch}`;
}
