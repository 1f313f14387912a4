// A server that is killed: one message with the log at hand, and a new server after a second.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { until } from "../../lib/codeServer.mjs";
import { GATE } from "../programs.mjs";

export async function play(bench) {
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();
  const [first] = servers(bench.server);
  process.kill(first, "SIGKILL");

  const message = bench.notification("The server is gone");
  await message.waitFor();
  await message.filter({ hasText: /killed by SIGKILL/ }).waitFor();
  await bench.picture("killed-server");
  assert.equal(await bench.page.locator(".notifications-toasts .notification-list-item").count(), 1);
  const [second] = await until("a new server", () => {
    const running = servers(bench.server).filter((pid) => pid !== first);
    return running.length > 0 && running;
  });
  assert.notEqual(second, first);
  await bench.press("The server is gone", "Show Log");
  await until("the log shows how the server was started", async () => {
    const shown = await bench.page.locator(".part.panel .view-lines").first().innerText();
    return shown.replace(/\s/g, "").includes("bundled/start.py"); // the lines are wrapped anywhere
  });
  await bench.squiggle().waitFor();
  await bench.picture("log");
}

/** The processes that run our server for this VS Code. */
function servers({ extensions }) {
  const all = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  const ours = all.filter((line) => line.includes(extensions) && line.includes("start.py serve"));
  return ours.map((line) => Number(line.trim().split(" ")[0]));
}
