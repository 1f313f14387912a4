/** The text of an error where VS Code has it as data: in the outputs of a notebook's cell, in what a debugger says. */
import { errorIn } from "../errors";

/** An item of a cell's output, as VS Code's `NotebookCellOutputItem` has it. */
export interface OutputItem {
  readonly mime: string;
  readonly data: Uint8Array;
}

const ERROR = "application/vnd.code.notebook.error";
const STREAMS = ["application/vnd.code.notebook.stderr", "application/vnd.code.notebook.stdout"];

interface CellError {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
}

/** The text of the outputs of a cell, if one of torch's errors about a write in place is among them. */
export function errorOfCell(items: readonly OutputItem[]): string | undefined {
  const text = items.map(textOf).join("\n");
  return errorIn(text) === undefined ? undefined : text;
}

function textOf({ mime, data }: OutputItem): string {
  const text = new TextDecoder().decode(data);
  if (mime === ERROR) {
    const { name, message, stack } = JSON.parse(text) as CellError;
    return `${stack ?? ""}\n${name ?? ""}: ${message ?? ""}`;
  }
  return STREAMS.includes(mime) ? text : "";
}

/** A message of the debug adapter protocol, as far as it is read here. */
interface DebugMessage {
  readonly event?: string;
  readonly command?: string;
  readonly body?: {
    readonly output?: string;
    readonly exceptionId?: string;
    readonly description?: string;
    readonly details?: { readonly stackTrace?: string };
  };
}

const LATEST = 20_000;

/** Listens to a debugger, and offers each in-place error that its program prints or stops at, with what came before. */
export class DebugListener {
  #latest = "";
  #offered = "";

  constructor(private readonly offer: (text: string) => void) {}

  /** The debugger has sent something. */
  onDidSendMessage(message: unknown): void {
    const said = saidBy(message as DebugMessage);
    this.#latest = (this.#latest + said).slice(-LATEST);
    const line = said.split("\n").find((text) => errorIn(text) !== undefined);
    const words = line?.slice(errorIn(line)?.start);
    if (words !== undefined && words !== this.#offered) {
      this.#offered = words; // the same error is printed once more when the program ends
      this.offer(this.#latest);
    }
  }
}

function saidBy({ event, command, body }: DebugMessage): string {
  if (event === "output") {
    return body?.output ?? "";
  }
  if (command === "exceptionInfo") {
    return `${body?.details?.stackTrace ?? ""}\n${body?.exceptionId ?? ""}: ${body?.description ?? ""}\n`;
  }
  return "";
}
