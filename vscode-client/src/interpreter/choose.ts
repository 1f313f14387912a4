/** Where an interpreter's path came from. */
export type Source = "setting" | "python-extension" | "path";

/** A path that may be an interpreter. */
export interface Candidate {
  readonly path: string;
  readonly source: Source;
}

/** What there is to choose from. */
export interface Offers {
  /** `inplace.interpreter`, "" if not set. */
  readonly setting: string;
  /** What is selected in the Python extension. */
  readonly extension?: string | undefined;
  readonly trusted: boolean;
  readonly platform: NodeJS.Platform;
}

/**
 * The interpreters to try, the best first. What the user chose stands alone: to fall back silently on another
 * would show the findings of the wrong environment.
 *
 * In a workspace that is not trusted the Python extension's choice may lie in the workspace itself and is not run;
 * `setting` is then what the user's own settings say, because VS Code hides the workspace's.
 */
export function candidates(offers: Offers): readonly Candidate[] {
  if (offers.setting !== "") {
    return [{ path: offers.setting, source: "setting" }];
  }
  if (offers.extension !== undefined && offers.trusted) {
    return [{ path: offers.extension, source: "python-extension" }];
  }
  const names = offers.platform === "win32" ? ["python", "py"] : ["python3", "python"];
  return names.map((path) => ({ path, source: "path" }));
}

/** What to do about an interpreter that does not work, for the end of a message. */
export function advice(source: Source): string {
  switch (source) {
    case "setting":
      return "Change the setting inplace.interpreter.";
    case "python-extension":
      return "Select another interpreter in the Python extension, or set inplace.interpreter.";
    case "path":
      return "Install Python 3.10 or later, or set inplace.interpreter.";
  }
}
