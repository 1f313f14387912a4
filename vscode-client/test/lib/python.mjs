// Pythons for the tests: environments as a user may have them.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const PYTHON = process.env.PYTHON ?? "python3";

/** Whether the Python of the tests has torch; what runs the user's code cannot be tested without. */
export function hasTorch() {
  try {
    run(["-c", "import importlib.metadata as m; m.version('torch')"]);
    return true;
  } catch {
    return false;
  }
}

/** A new environment in `folder` that has nothing in it: the server must bring everything along. */
export function bareEnvironment(folder) {
  run(["-m", "venv", "--without-pip", folder]);
  return path.join(folder, "bin", "python");
}

/** The same with the packages of the Python of the tests, torch among them, but without the server. */
export function torchEnvironment(folder) {
  const python = bareEnvironment(folder);
  const where = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
  const into = execFileSync(python, where, { encoding: "utf8" }).trim();
  const from = run(where).trim();
  for (const name of fs.readdirSync(from).filter((entry) => !entry.includes("inplace_lsp"))) {
    fs.symlinkSync(path.join(from, name), path.join(into, name));
  }
  return python;
}

function run(args) {
  return execFileSync(PYTHON, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
