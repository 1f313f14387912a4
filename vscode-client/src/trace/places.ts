import type { TraceRow } from "../protocol";
import type { Reveal } from "./messages";

/** The row of a trace for a place that the page names; `fileOf` tells the file of a document. */
export function rowAt(rows: readonly TraceRow[], place: Reveal, fileOf: (uri: string) => string): TraceRow | undefined {
  return rows.find((row) => row.row === place.row && fileOf(row.uri) === place.file);
}

/** The row of a trace for a line of a document. */
export function rowOf(
  rows: readonly TraceRow[],
  isDocument: (uri: string) => boolean,
  line: number,
): TraceRow | undefined {
  return rows.find((row) => row.line === line && isDocument(row.uri));
}
