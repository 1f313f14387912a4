/** What the server and the extension say to each other beyond the language server protocol. */

/** The server's own command, which code lenses call with `[uri, row]`; the row is 1-based. */
export const VERIFY = "inplace-lsp.verify";
/** Request: the version-counter trace of the function at a position. */
export const TRACE = "inplace/trace";
/** Request: what a code means. */
export const EXPLAIN = "inplace/explain";
/** Request: how much of a document was analysed. */
export const COVERAGE = "inplace/coverage";
/** Request: the writes that explain an error of torch's. */
export const WHY = "inplace/why";
/** Notification: the workspace is trusted now. */
export const TRUST = "inplace/didChangeTrust";
/** Notification: verified functions run in another Python from now on. */
export const INTERPRETER = "inplace/didChangeInterpreter";

/** An event of a trace: where it stands in the editor, and by which row the page calls that place. */
export interface TraceRow {
  readonly uri: string;
  /** 0-based, in the document `uri`. */
  readonly line: number;
  /** 1-based, in the file that the page names: that of a notebook is all of its cells. */
  readonly row: number;
  readonly event: number;
}

/** The answer to `inplace/trace`. */
export interface Trace {
  readonly title: string;
  readonly source: "predicted" | "observed";
  readonly content: string;
  readonly rows: readonly TraceRow[];
}

/** The answer to `inplace/explain`. */
export interface Explanation {
  readonly title: string;
  readonly markdown: string;
}

/** The answer to `inplace/coverage`, as far as it is read here: `partly` are the functions analysed only in part. */
export interface Coverage {
  readonly functions: number;
  readonly findings: number;
  readonly partly: readonly { readonly function: string; readonly reason: string }[];
}

/** A place that may be to blame for an error; rows count from 1, those of `range` from 0. */
export interface Candidate {
  readonly rank: number;
  readonly code: string;
  readonly filename: string;
  readonly location: { readonly row: number };
  readonly message: string;
  readonly reasons: readonly string[];
  readonly uri?: string;
  readonly range?: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The answer to `inplace/why`, as far as it is read here; `text` is all of it, for people. */
export interface Why {
  readonly candidates: readonly Candidate[];
  readonly text: string;
}

/** The answer to `inplace-lsp.verify`, as far as it is read here. Rows and columns count from 1. */
export interface Verdict {
  readonly function: string;
  readonly verdict: "confirmed" | "silent" | "not-reproduced" | "inconclusive";
  /** What came out, in a sentence. */
  readonly message: string;
  /** Whether the server has told the user already. */
  readonly shown: boolean;
  readonly violations: readonly { readonly written: WrittenAt }[];
  /** The command that installs what the run needed and did not find. */
  readonly install?: string;
}

interface WrittenAt {
  readonly filename: string;
  readonly location: { readonly row: number; readonly column: number };
}

const VERDICTS: readonly unknown[] = ["confirmed", "silent", "not-reproduced", "inconclusive"];

/** Whether an answer of the server's is a verdict; null says that it refused or was cancelled. */
export function isVerdict(value: unknown): value is Verdict {
  const verdict = value as Partial<Verdict> | null | undefined;
  return typeof verdict?.function === "string" && VERDICTS.includes(verdict.verdict);
}
