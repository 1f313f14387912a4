import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Launch } from "./launch";

/** Start a program with pipes to it. That it cannot be started comes as its "error" event. */
export function start(launch: Launch): ChildProcessWithoutNullStreams {
  return spawn(launch.command, launch.args, {
    cwd: launch.cwd,
    env: { ...process.env, ...launch.env },
    stdio: "pipe",
    windowsHide: true,
  });
}

/** The way a process ended, in words: "exit status 3", "killed by SIGKILL". */
export function ending(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit status ${code ?? "unknown"}` : `killed by ${signal}`;
}

/** What went wrong when a program could not be started. */
export function notStarted(command: string, error: NodeJS.ErrnoException): string {
  const reasons: Record<string, string> = {
    ENOENT: "there is no such file",
    EACCES: "it may not be executed",
    ENOEXEC: "it is no program",
    ENOTDIR: "there is no such file",
  };
  return `${command} cannot be started: ${reasons[error.code ?? ""] ?? error.message}`;
}

/** Keeps the last line that was written, for the message when a process dies. */
export class LastLine {
  #rest = "";
  #line = "";

  /** More of the text. */
  add(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    this.#line = lines.findLast((line) => line.trim() !== "") ?? this.#line;
  }

  /** The last line that is not empty, "" if there is none. */
  get text(): string {
    return (this.#rest.trim() === "" ? this.#line : this.#rest).trim();
  }
}
