import * as vscode from "vscode";
import { face, type Outlook, outlookText, type State } from "./server/state";

const SEVERITIES = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};
const PYTHON: vscode.DocumentSelector = { language: "python" };
const ACTIONS: Record<string, vscode.Command> = {
  restart: { command: "inplace.restart", title: "Restart" },
  log: { command: "inplace.showLog", title: "Show Log" },
  trust: { command: "workbench.trust.manage", title: "Manage Trust" },
};

/**
 * The items beside the language's name in the status bar: what is known of the file, and below it the state of the
 * server, versions, and what to do.
 */
export class Status {
  readonly #item = vscode.languages.createLanguageStatusItem("inplace.status", PYTHON);
  #file: vscode.LanguageStatusItem | undefined;
  #state: State = { kind: "stopped" };

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

  /** What is known of the active editor is new. */
  showOutlook(outlook: Outlook | undefined): void {
    if (outlook === undefined) {
      this.#file?.dispose();
      this.#file = undefined;
      return;
    }
    this.#file ??= vscode.languages.createLanguageStatusItem("inplace.file", PYTHON);
    this.#file.name = "inplace-lsp: this file";
    this.#file.text = "inplace-lsp";
    this.#file.detail = outlookText(outlook);
  }

  /** Something else is new that the words depend on. */
  refresh(): void {
    const { text, detail, severity, busy, action } = face(this.#state, vscode.workspace.isTrusted);
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.severity = SEVERITIES[severity];
    this.#item.busy = busy;
    this.#item.command = ACTIONS[action];
  }

  /** Take the item away. */
  dispose(): void {
    this.#item.dispose();
    this.#file?.dispose();
  }
}
