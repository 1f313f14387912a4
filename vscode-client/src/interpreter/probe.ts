import { spawn } from "node:child_process";
import path from "node:path";
import { ending, LastLine, notStarted } from "../server/process";

/** An interpreter that runs, as it describes itself. */
export interface Python {
  readonly executable: string;
  /** Such as "3.11.7". */
  readonly version: string;
  /** The root of its environment. */
  readonly prefix: string;
  /** The release of torch installed in it, if any. */
  readonly torch?: string | undefined;
}

/** The oldest Python the server runs on. */
export const OLDEST: readonly [number, number] = [3, 10];
const PATIENCE = 20_000;

/** Ask an interpreter what it is. Throws an error with words for people if it is not fit for the server. */
export async function probe(executable: string, extension: string, patience = PATIENCE): Promise<Python> {
  const printed = await run(executable, [path.join(extension, "bundled", "probe.py")], extension, patience);
  return fit(described(executable, printed));
}

/** Read what `probe.py` printed. */
export function described(executable: string, printed: string): Python {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    value = undefined;
  }
  if (!isRecord(value) || typeof value["version"] !== "string" || typeof value["prefix"] !== "string") {
    throw new Error(`${executable} is no Python interpreter: it does not answer as one`);
  }
  const torch = typeof value["torch"] === "string" ? value["torch"] : undefined;
  return { executable, version: value["version"], prefix: value["prefix"], torch };
}

/** The same interpreter if it is new enough. */
export function fit(python: Python): Python {
  const [major = 0, minor = 0] = python.version.split(".").map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Error(`${python.executable} is Python ${python.version}; ${OLDEST.join(".")} or later is needed`);
  }
  return python;
}

function run(command: string, args: string[], cwd: string, patience: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const said = new LastLine();
    let printed = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${command} does not answer: gave up after ${patience / 1000} s`));
    }, patience);
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.add(text);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(new Error(notStarted(command, error)));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) {
        resolve(printed);
      } else {
        const words = said.text === "" ? "" : `: ${said.text}`;
        reject(new Error(`${command} does not work (${ending(code, signal)})${words}`));
      }
    });
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
