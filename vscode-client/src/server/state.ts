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
  readonly action: "restart" | "log" | "trust";
}

/** What is known of the file in the active editor. */
export interface Outlook {
  readonly functions: number;
  readonly findings: number;
  readonly partly: number;
}

/** The words for a state, short: VS Code cuts a line of some 85 characters. `trusted`: whether the workspace is. */
export function face(state: State, trusted: boolean): Face {
  switch (state.kind) {
    case "starting":
      return { text: "inplace-lsp", detail: "starting", severity: "information", busy: true, action: "log" };
    case "running":
      return {
        text: `inplace-lsp ${state.versions.server}`,
        detail: trusted ? versionsText(state.versions) : "restricted mode: verify is off",
        severity: "information",
        busy: false,
        action: trusted ? "restart" : "trust",
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

/** What is known of a file, in words. */
export function outlookText(outlook: Outlook): string {
  const found = outlook.findings === 0 ? "nothing found" : counted(outlook.findings, "finding");
  const partly = outlook.partly === 0 ? "" : ` (${outlook.partly} only partly)`;
  return `${counted(outlook.functions, "function")} analysed${partly}, ${found}`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function versionsText(versions: Versions): string {
  const python = versions.python === undefined ? "no usable Python for verify" : `Python ${versions.python}`;
  const torch = versions.torch === undefined ? "no torch" : `torch ${versions.torch}`;
  return versions.python === undefined ? python : `${python}, ${torch}`;
}
