// Scenes in the real workbench: one VS Code, one folder, one scene after the other as in a working day.
import fs from "node:fs";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { launchChromium } from "../lib/chromium.mjs";
import { CodeServer } from "../lib/codeServer.mjs";
import { bareEnvironment, hasTorch, torchEnvironment } from "../lib/python.mjs";
import { Workbench } from "./workbench.mjs";

const SCENES = [
  "restricted",
  "findings",
  "status",
  "verify",
  "trace",
  "cancel",
  "notebook",
  "terminal",
  "debug",
  "broken-interpreter",
  "killed-server",
];

/** The number of scenes that failed. Each leaves its pictures in `test-output/RELEASE`. */
export async function runWorkbenchTests(release, vsix) {
  const server = new CodeServer(release);
  const folder = path.join(server.home, "project");
  fs.mkdirSync(folder);
  const pictures = path.resolve(import.meta.dirname, `../../test-output/${release}`);
  fs.rmSync(pictures, { recursive: true, force: true });
  const environment = path.join(server.home, "environment");
  const python = hasTorch() ? torchEnvironment(environment) : bareEnvironment(environment);
  server.configure({ "inplace.interpreter": python });
  let browser;
  let failed = 0;
  try {
    server.install(vsix);
    server.install(await packDebugger(server.home));
    await server.start({ trust: true });
    browser = await launchChromium();
    const bench = await Workbench.open(browser, server, folder, pictures);
    for (const name of chosen()) {
      failed += await play(name, bench, { python, torch: hasTorch() });
    }
  } finally {
    await browser?.close();
    await server.stop({ keep: failed > 0 });
    if (failed > 0) {
      console.error(`pictures are in ${pictures}, the folders of VS Code in ${server.home}`);
    }
  }
  return failed;
}

/** The extension that starts debugpy, as a .vsix in `folder`. */
async function packDebugger(folder) {
  const packagePath = path.join(folder, "debugger.vsix");
  const cwd = path.resolve(import.meta.dirname, "debugger");
  await createVSIX({ cwd, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  return packagePath;
}

/** The scenes to play: those that --scenes names, after the first, which trusts the folder; all without. */
function chosen() {
  const at = process.argv.indexOf("--scenes");
  return at < 0 ? SCENES : [SCENES[0], ...process.argv[at + 1].split(",")];
}

async function play(name, bench, given) {
  const began = Date.now();
  const scene = await import(`./scenes/${name}.mjs`);
  if (scene.NEEDS_TORCH && !given.torch) {
    console.log(`left out for want of torch: ${name}`);
    return 0;
  }
  try {
    await scene.play(bench, given);
    console.log(`ok   ${name} (${Date.now() - began} ms)`);
    return 0;
  } catch (error) {
    await bench.picture(`FAILED-${name}`).catch(() => undefined);
    console.log(`FAIL ${name}\n${error.stack}`);
    return 1;
  }
}
