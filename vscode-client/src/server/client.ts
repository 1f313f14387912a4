import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable } from "node:stream";
import * as vscode from "vscode";
import {
  CloseAction,
  type ConfigurationParams,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { deferred } from "../deferred";
import type { Python } from "../interpreter/probe";
import { selectedInterpreter } from "../interpreter/pythonExtension";
import { SERVER_SECTION, clientSettings, serverSettings } from "../settings";
import type { Launch } from "./launch";
import { level } from "./log";
import { ending, LastLine, notStarted, start } from "./process";
import { CancellableProgress } from "./progress";
import type { Connection } from "./supervisor";

/** What the server is told when it starts. */
export interface Session {
  readonly trusted: boolean;
  /** The Python that verified functions run in, if there is one. */
  readonly python: Python | undefined;
}

/** A connection, and the client that speaks over it. */
export interface LiveConnection extends Connection {
  readonly client: LanguageClient;
  /** The Python it was started with. */
  readonly python: Python | undefined;
  /** The number of the server's process, once it was started. */
  pid(): number | undefined;
}

/** Called with what `inplace-lsp.verify` answered, whoever asked. */
export type OnVerified = (args: unknown[], answer: unknown) => void;

/** How long a server may take to go when it is asked to, and a starting one until it can be asked, in milliseconds. */
const PATIENCE = 5_000;

/** The language client, which would tell the user of every fault in a message of its own; ours are enough. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** A language client for the server that `launch` starts; not started yet. */
export function connect(
  launch: Launch,
  session: Session,
  log: vscode.LogOutputChannel,
  onVerified: OnVerified,
): LiveConnection {
  const said = new LastLine();
  const ended = deferred<string>();
  const lost = deferred<string>();
  const progress = new CancellableProgress((): LanguageClient => client);
  let stopping = false;
  let child: ChildProcessWithoutNullStreams | undefined;
  let started: Promise<void> = Promise.resolve();
  const spawned = (): Promise<ChildProcessWithoutNullStreams> => {
    log.info(`starting ${[launch.command, ...launch.args].join(" ")}`);
    const made = start(launch);
    child = made;
    made.on("error", (error) => {
      ended.resolve(notStarted(launch.command, error));
    });
    made.on("close", (code, signal) => {
      ended.resolve(`the server ended (${ending(code, signal)})${said.text === "" ? "" : `: ${said.text}`}`);
    });
    void ended.promise.then((reason) => {
      if (!stopping) {
        log.error(reason);
        lost.resolve(reason);
      }
    });
    return Promise.resolve(made);
  };
  const client: LanguageClient = new QuietClient(
    "inplace",
    "inplace-lsp",
    spawned,
    options(session, log, said, middleware(progress, onVerified)),
  );
  return {
    client,
    python: session.python,
    lost: lost.promise,
    pid: () => child?.pid,
    async start() {
      started = client.start();
      try {
        await started;
      } catch (error) {
        // how the process died says more than the broken connection that it leaves behind
        const reason = await Promise.race([ended.promise, pause(500)]);
        throw reason === undefined ? error : new Error(reason);
      }
      const server = client.initializeResult?.serverInfo?.version ?? "of unknown version";
      return { server, python: session.python?.version, torch: session.python?.torch };
    },
    async stop() {
      stopping = true;
      progress.closeAll();
      await Promise.race([started.catch(() => undefined), pause(PATIENCE)]); // a client that is starting cannot be stopped
      await client.dispose().catch((error: unknown) => {
        log.debug(`stopping: ${String(error)}`);
      });
      await Promise.race([child === undefined ? undefined : ended.promise, pause(PATIENCE)]);
      child?.kill("SIGKILL");
    },
  };
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(undefined);
    }, milliseconds);
  });
}

function options(
  session: Session,
  log: vscode.LogOutputChannel,
  said: LastLine,
  between: Middleware,
): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
      { scheme: "vscode-notebook-cell", language: "python" },
    ],
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: {
      ...serverSettings(getter()),
      trusted: session.trusted,
      tellsVerdicts: true,
      interpreter: session.python?.executable ?? null,
    },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }), // the supervisor sees to it
    },
    stdioOptions: {
      stdout: () => undefined, // is the protocol's
      stderr: (input) => {
        forward(input, log, said);
      },
    },
    markdown: { isTrusted: false, supportHtml: false },
    middleware: between,
  };
}

function middleware(progress: CancellableProgress, onVerified: OnVerified): Middleware {
  return {
    workspace: {
      configuration: async (params: ConfigurationParams, token, next) => {
        const theirs = await next(params, token);
        const values: unknown[] = Array.isArray(theirs) ? theirs : [];
        const answers = params.items.map((item, index) =>
          item.section === SERVER_SECTION ? settingsOf(item.scopeUri) : values[index],
        );
        return Promise.all(answers);
      },
    },
    provideCodeLenses: (document, token, next) => (vscode.workspace.isTrusted ? next(document, token) : []),
    executeCommand: async (command, args: unknown[], next) => {
      const answer: unknown = await next(command, args);
      onVerified(args, answer);
      return answer;
    },
    handleWorkDoneProgress: (token, params, next) => {
      progress.handle(token, params, () => {
        next(token, params);
      });
    },
  };
}

/** The settings as the server knows them; those of a folder have the Python that is chosen there. */
async function settingsOf(scope?: string): Promise<Record<string, unknown>> {
  const settings = serverSettings(getter(scope));
  if (scope === undefined) {
    return settings;
  }
  const folder = vscode.Uri.parse(scope);
  const interpreter = clientSettings(getter(scope), folder.fsPath).interpreter || (await selectedInterpreter(folder));
  return interpreter === undefined ? settings : { ...settings, interpreter };
}

/** Reads the settings below `inplace` that hold for a document. */
export function getter(scope?: string): (key: string) => unknown {
  const settings = vscode.workspace.getConfiguration("inplace", scope === undefined ? null : vscode.Uri.parse(scope));
  return (key) => settings.get(key);
}

function forward(input: Readable, log: vscode.LogOutputChannel, said: LastLine): void {
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    said.add(text);
    for (const line of text.split(/\r?\n/).filter((part) => part !== "")) {
      const { how, what } = level(line);
      log[how](what);
    }
  });
}
