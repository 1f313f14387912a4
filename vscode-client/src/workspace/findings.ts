/** A place in a finding of `inplace-lsp check`: rows and columns are 1-based, columns in code points. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A finding of `inplace-lsp check --output-format json`, as far as it is shown. */
export interface Finding {
  readonly code: string;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  readonly filename: string;
  readonly location: Place;
  readonly end_location: Place;
  readonly url: string;
  readonly related: readonly {
    readonly message: string;
    readonly filename: string;
    readonly location: Place;
    readonly end_location: Place;
  }[];
}

/** What `check` printed. Throws if it is no list of findings. */
export function parse(printed: string): readonly Finding[] {
  const value: unknown = JSON.parse(printed);
  if (!Array.isArray(value) || !value.every(isFinding)) {
    throw new Error("the answer is no list of findings");
  }
  return value;
}

/** The findings of each file. */
export function byFile(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const files = new Map<string, Finding[]>();
  for (const finding of findings) {
    files.set(finding.filename, [...(files.get(finding.filename) ?? []), finding]);
  }
  return files;
}

/** "3 findings in 2 files", and how that came about. */
export function summary(findings: readonly Finding[], problems: readonly string[]): string {
  const files = byFile(findings).size;
  const found =
    findings.length === 0
      ? "inplace-lsp found nothing in the workspace"
      : `inplace-lsp: ${count(findings.length, "finding")} in ${count(files, "file")}`;
  return problems.length === 0
    ? `${found}.`
    : `${found}; ${count(problems.length, "file")} could not be checked (see the log).`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function isFinding(value: unknown): value is Finding {
  const finding = value as Partial<Finding> | null;
  return (
    typeof finding?.code === "string" &&
    typeof finding.filename === "string" &&
    typeof finding.location?.row === "number"
  );
}
