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
import { SERVER_SECTION, serverSettings } from "../settings";
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
  let pid: number | undefined;
  const spawned = async (): Promise<ChildProcessWithoutNullStreams> => {
    log.info(`starting ${[launch.command, ...launch.args].join(" ")}`);
    const child = start(launch);
    pid = child.pid;
    child.on("error", (error) => {
      ended.resolve(notStarted(launch.command, error));
    });
    child.on("close", (code, signal) => {
      ended.resolve(`the server ended (${ending(code, signal)})${said.text === "" ? "" : `: ${said.text}`}`);
    });
    void ended.promise.then((reason) => {
      if (!stopping) {
        log.error(reason);
        lost.resolve(reason);
      }
    });
    return Promise.resolve(child);
  };
  const client: LanguageClient = new LanguageClient(
    "inplace",
    "inplace-lsp",
    spawned,
    options(session, log, said, middleware(progress, onVerified)),
  );
  return {
    client,
    python: session.python,
    lost: lost.promise,
    pid: () => pid,
    async start() {
      const failed = ended.promise.then((reason) => Promise.reject(new Error(reason)));
      failed.catch(() => undefined);
      await Promise.race([client.start(), failed]).catch(async (error: unknown) => {
        // the death of the process says more than the broken connection that it leaves behind
        throw await Promise.race([failed.catch((reason: unknown) => reason), soon(error)]);
      });
      const server = client.initializeResult?.serverInfo?.version ?? "of unknown version";
      return { server, python: session.python?.version, torch: session.python?.torch };
    },
    async stop() {
      stopping = true;
      progress.closeAll();
      await client.dispose().catch((error: unknown) => {
        log.debug(`stopping: ${String(error)}`);
      });
    },
  };
}

function soon<T>(value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(value);
    }, 500);
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
        return params.items.map((item, index) =>
          item.section === SERVER_SECTION ? serverSettings(getter(item.scopeUri)) : values[index],
        );
      },
    },
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

/** Reads the settings below `inplace` that hold for a document. */
export function getter(scope?: string): (key: string) => unknown {
  const settings = vscode.workspace.getConfiguration("inplace", scope === undefined ? null : vscode.Uri.parse(scope));
  return (key) => settings.get(key);
}

function forward(input: Readable, log: vscode.LogOutputChannel, said: LastLine): void {
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    said.add(text);
    for (const line of text.split(/\r?\n/).filter((one) => one !== "")) {
      const { how, what } = level(line);
      log[how](what);
    }
  });
}
