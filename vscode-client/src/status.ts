import * as vscode from "vscode";
import { face, type State } from "./server/state";

const SEVERITIES = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};
const ACTIONS: Record<string, vscode.Command> = {
  restart: { command: "inplace.restart", title: "Restart" },
  log: { command: "inplace.showLog", title: "Show Log" },
};

/** The item beside the language's name in the status bar: state of the server, versions, and what to do. */
export class Status {
  readonly #item = vscode.languages.createLanguageStatusItem("inplace.status", { language: "python" });
  #state: State = { kind: "stopped" };
  #partly = 0;

  constructor() {
    this.#item.name = "inplace-lsp";
    this.refresh();
  }

  /** The state that is shown. */
  get state(): State {
    return this.#state;
  }

  /** The state is new. */
  show(state: State): void {
    this.#state = state;
    this.refresh();
  }

  /** So many functions of the active editor were analysed only in part. */
  showPartly(partly: number): void {
    this.#partly = partly;
    this.refresh();
  }

  /** Something else is new that the words depend on. */
  refresh(): void {
    const { text, detail, severity, busy, action } = face(this.#state, vscode.workspace.isTrusted, this.#partly);
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.severity = SEVERITIES[severity];
    this.#item.busy = busy;
    this.#item.command = ACTIONS[action];
  }

  /** Take the item away. */
  dispose(): void {
    this.#item.dispose();
  }
}
