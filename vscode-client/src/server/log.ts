/** How the editor's log marks a line. */
export type How = "error" | "warn" | "info" | "debug";

const LEVELS: Readonly<Record<string, How>> = {
  CRITICAL: "error",
  ERROR: "error",
  WARNING: "warn",
  INFO: "info",
  DEBUG: "debug",
};

/** A line of the server's log (`TIME LEVEL NAME: WORDS`) for a log that writes time and level itself. */
export function level(line: string): { how: How; what: string } {
  const match = /^\d{4}-\d\d-\d\d [\d:,]+ ([A-Z]+) (.*)$/.exec(line);
  const how = LEVELS[match?.[1] ?? ""];
  return how === undefined ? { how: "info", what: line } : { how, what: match?.[2] ?? line };
}
