import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Explanations } from "./commands/explain";
import { afterVerify, pythonEditor, verifyAtCursor } from "./commands/verify";
import { openExample } from "./commands/example";
import { ErrorLinks, ErrorsInCells, ErrorsInDebugging, findWrite } from "./commands/why";
import { CoverageWatch } from "./coverage";
import { find } from "./interpreter/find";
import { probe, type Python } from "./interpreter/probe";
import { onSelectionChanged, selectedInterpreter } from "./interpreter/pythonExtension";
import { INTERPRETER, TRUST } from "./protocol";
import { connect, getter, type LiveConnection } from "./server/client";
import { launch, type Launch } from "./server/launch";
import type { State } from "./server/state";
import { CannotStart, message, Supervisor } from "./server/supervisor";
import { clientSettings, type ClientSettings, LAUNCH_KEYS, SERVER_SECTION, serverSettings } from "./settings";
import { Status } from "./status";
import { TracePanel } from "./trace/panel";
import { WorkspaceCheck } from "./workspace/check";

/** The extension while it is active: what runs, what is shown, and the commands. */
export class Extension implements vscode.Disposable {
  readonly #folder: string;
  readonly #log = vscode.window.createOutputChannel("inplace-lsp", { log: true });
  readonly #status = new Status();
  readonly #trace = new TracePanel();
  readonly #explanations = new Explanations();
  readonly #check = new WorkspaceCheck(this.#log);
  readonly #coverage = new CoverageWatch(
    () => this.#runningClient(),
    (outlook) => {
      this.#status.showOutlook(outlook);
    },
  );
  readonly #supervisor: Supervisor<LiveConnection>;
  readonly #disposables: vscode.Disposable[] = [];

  constructor(context: vscode.ExtensionContext) {
    this.#folder = context.extensionPath;
    this.#supervisor = new Supervisor({
      connect: () => this.#connect(),
      show: (state) => {
        this.#show(state);
      },
      lost: (reason) => {
        void this.#complain(`The server is gone: ${reason}. It is started again.`);
      },
      gaveUp: (reason) => {
        void this.#complain(`The server is not running. ${reason}`);
      },
      now: () => Date.now(),
      later: (milliseconds, callback) => {
        const timer = setTimeout(callback, milliseconds);
        return () => {
          clearTimeout(timer);
        };
      },
    });
  }

  /** Register everything and start the server. */
  begin(): void {
    const cells = new ErrorsInCells();
    const commands: Record<string, (argument: unknown) => unknown> = {
      "inplace.verifyFunction": () => this.#withClient(() => verifyAtCursor()),
      "inplace.showTrace": () => this.#withClient((client) => this.#showTrace(client)),
      "inplace.explainHazard": (code) => this.#withClient((client) => this.#explanations.show(client, code)),
      "inplace.findWrite": (text) => this.#withClient((client) => findWrite(client, text)),
      "inplace.checkWorkspace": () => this.#withClient(() => this.#checkWorkspace()),
      "inplace.restart": () => this.#supervisor.restart(),
      "inplace.showLog": () => {
        this.#log.show();
      },
      "inplace.openExample": () => openExample(this.#folder),
    };
    this.#disposables.push(
      ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
      vscode.window.registerTerminalLinkProvider(
        new ErrorLinks((text) => void this.#withClient((client) => findWrite(client, text))),
      ),
      new vscode.Disposable(() => {
        cells.dispose();
      }),
      vscode.notebooks.registerNotebookCellStatusBarItemProvider("jupyter-notebook", cells),
      vscode.debug.registerDebugAdapterTrackerFactory("*", new ErrorsInDebugging()),
      vscode.workspace.onDidChangeConfiguration((event) => this.#configured(event)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#trusted()),
      onSelectionChanged(() => void this.#interpreterChanged()),
    );
    void this.#supervisor.restart();
  }

  /** Where the server stands. */
  get state(): State {
    return this.#status.state;
  }

  /** The process id of the server, for tests that kill it. */
  get pid(): number | undefined {
    return this.#supervisor.connection?.pid();
  }

  /** Ask the server to go and wait until it has. */
  async end(): Promise<void> {
    await this.#supervisor.stop();
  }

  /** Take everything away that is shown. */
  dispose(): void {
    const shown = [this.#trace, this.#explanations, this.#check, this.#coverage, this.#status, this.#log];
    for (const disposable of [...this.#disposables, ...shown]) {
      disposable.dispose();
    }
  }

  async #connect(): Promise<LiveConnection> {
    const settings = this.#settings();
    const python = await this.#findPython(settings);
    const command = this.#launch(python, ["serve", "--log-level", settings.logLevel]);
    if (command === undefined) {
      throw new CannotStart("There is no Python to run the server with.");
    }
    return connect(command, { trusted: vscode.workspace.isTrusted, python }, this.#log, (args, answer) => {
      void afterVerify(args, answer, this.#settings(), (uri, row) => this.#openTrace(uri, row));
    });
  }

  /** The Python to use. A server of its own runs without one; then only verify is off. */
  async #findPython(settings: ClientSettings): Promise<Python | undefined> {
    const trusted = vscode.workspace.isTrusted;
    const extension = await selectedInterpreter();
    const offers = { setting: settings.interpreter, extension, trusted, platform: process.platform };
    try {
      const found = await find(offers, (path) => probe(path, this.#folder));
      this.#log.info(`Python ${found.version}: ${found.executable}`);
      return found;
    } catch (error) {
      if (settings.serverPath === "") {
        throw new CannotStart(message(error));
      }
      this.#log.warn(message(error));
      return undefined;
    }
  }

  #launch(python: Python | undefined, args: readonly string[]): Launch | undefined {
    return launch({ extension: this.#folder, serverPath: this.#settings().serverPath, python }, args);
  }

  #settings(): ClientSettings {
    return clientSettings(getter(), vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
  }

  #show(state: State): void {
    this.#status.show(state);
    if (state.kind !== "running") {
      this.#log.info(state.kind);
    }
  }

  async #complain(words: string): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(`inplace-lsp: ${words}`, "Show Log", "Settings");
    if (chosen === "Show Log") {
      this.#log.show();
    } else if (chosen === "Settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:inplace-lsp.inplace-lsp");
    }
  }

  async #configured(event: vscode.ConfigurationChangeEvent): Promise<void> {
    if (LAUNCH_KEYS.some((key) => event.affectsConfiguration(`inplace.${key}`))) {
      await this.#supervisor.restart();
    } else if (event.affectsConfiguration("inplace")) {
      await this.#tellConfiguration();
    }
  }

  /** The server asks for what it wants to know, also of the folders. */
  async #tellConfiguration(): Promise<void> {
    const settings = { [SERVER_SECTION]: serverSettings(getter()) };
    await this.#notify("workspace/didChangeConfiguration", { settings });
  }

  /** The settings of the workspace count from now on, and so does the Python extension's choice. */
  async #trusted(): Promise<void> {
    this.#status.refresh();
    await this.#notify(TRUST, { trusted: true });
    await this.#interpreterChanged();
  }

  /** Another interpreter: the server inside the extension runs in it and is started anew; any other is told. */
  async #interpreterChanged(): Promise<void> {
    const settings = this.#settings();
    if (settings.serverPath === "") {
      await this.#supervisor.restart();
      return;
    }
    const python = await this.#findPython(settings);
    await this.#notify(INTERPRETER, { interpreter: python?.executable ?? null });
    await this.#tellConfiguration(); // other folders may have chosen another one
  }

  async #notify(method: string, params: object): Promise<void> {
    if (this.state.kind === "running") {
      await this.#supervisor.connection?.client.sendNotification(method, params);
    }
  }

  #runningClient(): LanguageClient | undefined {
    return this.state.kind === "running" ? this.#supervisor.connection?.client : undefined;
  }

  async #withClient(act: (client: LanguageClient) => Promise<void>): Promise<void> {
    const client = this.#runningClient();
    if (client === undefined) {
      void this.#complain("the server is not running; its log says why.");
      return;
    }
    try {
      await act(client);
    } catch (error) {
      this.#log.error(message(error));
      void this.#complain(message(error));
    }
  }

  async #checkWorkspace(): Promise<void> {
    if (getter()("diagnosticMode") === "workspace") {
      await vscode.commands.executeCommand("workbench.actions.view.problems"); // the server keeps them up to date
      return;
    }
    const python = this.#supervisor.connection?.python;
    await this.#check.run((args) => this.#launch(python, args));
  }

  async #showTrace(client: LanguageClient): Promise<void> {
    const editor = pythonEditor();
    if (editor === undefined) {
      void vscode.window.showInformationMessage("inplace-lsp: put the cursor into a function of a Python file first.");
      return;
    }
    const { line, character } = editor.selection.active;
    await this.#trace.show(client, editor.document.uri.toString(), { line, character });
  }

  #openTrace(uri: string, row: number): Promise<void> {
    return this.#withClient((client) => this.#trace.show(client, uri, { line: row - 1, character: 0 }));
  }
}
