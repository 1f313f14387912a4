/** A click on an event in the page: show its line. */
export interface Reveal {
  readonly file: string;
  /** 1-based. */
  readonly row: number;
  /** 0-based, in code points. */
  readonly column: number;
}

/** The message of a page, if it is one that is known. */
export function reveal(message: unknown): Reveal | undefined {
  if (typeof message !== "object" || message === null) {
    return undefined;
  }
  const { type, file, row, column } = message as Record<string, unknown>;
  if (type !== "reveal" || typeof file !== "string" || !isCount(row) || row < 1) {
    return undefined;
  }
  return { file, row, column: isCount(column) ? column : 0 };
}

/** Tells the page which line of the editor the cursor is in. */
export function highlight(file: string, row: number): { type: "highlight"; file: string; row: number } {
  return { type: "highlight", file, row };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
