// A run that takes too long is cancelled by the button of its notification; nothing of it goes on.
import { execFileSync } from "node:child_process";
import { until } from "../../lib/codeServer.mjs";
import { SLOW } from "../programs.mjs";

export const NEEDS_TORCH = true;

export async function play(bench, { python }) {
  const { page } = bench;
  await bench.edit("slow.py", SLOW);
  await bench.squiggle().waitFor();
  await bench.retry("press the lens", async () => {
    await page.locator(".codelens-decoration a", { hasText: "Verify" }).first().click({ timeout: 10_000 });
  });
  const progress = bench.notification("Verifying");
  await progress.waitFor({ timeout: 30_000 });
  await until("the function runs in a child of the worker", () => workers(python, bench).length > 1, 60_000);
  await bench.picture("cancel");
  await bench.press(progress, "Cancel");
  await bench.notification("was cancelled").waitFor({ timeout: 15_000 });
  await until("only the worker is left, for the next run", () => workers(python, bench).length <= 1);
  await bench.command("View: Close All Editors");
}

/** The processes in the Python of the project that are not the server's own. */
function workers(python, bench) {
  const all = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  const own = (line) => line.includes("bundled/start.py") || line.includes("inplace_lsp.facts");
  return all.filter((line) => line.includes(python) && line.includes(bench.server.home) && !own(line));
}
