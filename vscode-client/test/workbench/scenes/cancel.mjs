// A run that takes too long is cancelled by the button of its notification; nothing of it goes on.
import { execFileSync } from "node:child_process";
import { until } from "../../lib/codeServer.mjs";
import { SLOW } from "../programs.mjs";

export const NEEDS_TORCH = true;

export async function play(bench, { python }) {
  await bench.edit("slow.py", SLOW);
  await bench.squiggle().waitFor();
  await bench.pressLens("Verify", () => bench.notification("Verifying").waitFor());
  let running = [];
  await until("the function runs in children of the worker", () => (running = runs(python, bench)).length > 0);
  await bench.picture("cancel");
  await bench.press("Verifying", "Cancel");
  await bench.notification("was cancelled").waitFor();
  await until("they are gone", () => !runs(python, bench).some((process) => running.includes(process)));
  await bench.closeAll();
}

/** The worker's children, by number: runs, and those that wait for the next one. */
function runs(python, bench) {
  const all = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n");
  const own = (line) => line.includes("bundled/start.py") || line.includes("inplace_lsp.facts");
  const workers = all.filter((line) => line.includes(python) && line.includes(bench.server.home) && !own(line));
  const numbers = workers.map((line) => line.trim().split(/\s+/));
  const known = new Set(numbers.map(([process]) => process));
  return numbers.filter(([, parent]) => known.has(parent)).map(([process]) => process);
}
