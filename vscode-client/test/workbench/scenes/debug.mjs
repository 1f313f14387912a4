// A program that dies of torch's error under a real debugger, and one that stops at it: a message leads to the write.
import fs from "node:fs";
import path from "node:path";
import { GATE } from "../programs.mjs";

export const NEEDS_TORCH = true;
const WRITE = 13;

export async function play(bench, { python }) {
  const launch = {
    name: "gate",
    type: "debugpy-of-tests",
    request: "launch",
    python,
    program: path.join(bench.folder, "gate.py"),
    console: "internalConsole",
  };
  fs.mkdirSync(path.join(bench.folder, ".vscode"), { recursive: true });
  fs.writeFileSync(path.join(bench.folder, ".vscode/launch.json"), JSON.stringify({ configurations: [launch] }));
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();

  await start(bench, "Debug: Start Without Debugging");
  await bench.page.locator(".repl", { hasText: "modified by an inplace operation" }).first().waitFor();
  await bench.picture("debug");
  await findWrite(bench);

  await start(bench, "Debug: Start Debugging"); // it stops where torch raises
  await bench.page.locator(".exception-widget", { hasText: "modified by an inplace operation" }).first().waitFor();
  await bench.picture("debug-stopped");
  await findWrite(bench);
  await bench.command("Debug: Stop");
  await bench.closeAll();
}

/** Start the program once, and wait until it has failed: importing torch under a debugger takes its time. */
async function start(bench, title) {
  const isStarted = bench.page.locator(".debug-toolbar").or(offer(bench)).first();
  await bench.command(title, () => isStarted.waitFor());
  await offer(bench).waitFor();
}

function offer(bench) {
  return bench.notification("torch raised an error about a write in place");
}

/** Press the button of the message, and see where it leads. */
async function findWrite(bench) {
  await bench.press("torch raised an error", "Find the Write");
  await bench.cursorIn(WRITE);
  await bench.quiet();
}
