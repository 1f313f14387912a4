// Where the editors of the tests are kept (scripts/get-editors.sh puts them there), and what is missing.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { findChromium } from "./chromium.mjs";

const SCRIPTS = path.resolve(import.meta.dirname, "../../scripts");

const [folder, current, older] = execFileSync(
  "bash",
  ["-c", `source "${path.join(SCRIPTS, "editors.env")}" && printf '%s\\n' "$EDITORS" "$CURRENT" "$OLDER"`],
  { encoding: "utf8" },
).split("\n");

/** The releases of code-server by the names the tests use. */
export const RELEASES = { current, older };

/** The program of a release; undefined if it was not fetched. */
export function codeServer(release) {
  const there = path.join(folder, `code-server-${RELEASES[release]}`);
  const entry = path.join(there, "node_modules/code-server/out/node/entry.js");
  return fs.existsSync(path.join(there, "complete")) ? entry : undefined;
}

/** What these releases need and is not there, each with the way to get it. */
export function missing(releases) {
  const editors = releases
    .filter((release) => codeServer(release) === undefined)
    .map((release) => `VS Code (code-server ${RELEASES[release]}): make editors`);
  const browser = findChromium() === undefined ? ["Chromium: apt-get install chromium, or set CHROMIUM"] : [];
  return [...editors, ...browser];
}
