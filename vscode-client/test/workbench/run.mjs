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
  "page",
  "cancel",
  "notebook",
  "terminal",
  "debug",
  "broken-interpreter",
  "killed-server",
];

/**
 * The number of scenes that failed. Each leaves its pictures in `test-output/RELEASE`.
 *
 * Scenes that fail are played once more in a fresh VS Code, and named: a click can be lost on a busy machine, and a scene
 * that fails may leave its editors and terminals to those behind it.
 */
export async function runWorkbenchTests(release, vsix, extensions) {
  const pictures = path.resolve(import.meta.dirname, `../../test-output/${release}`);
  fs.rmSync(pictures, { recursive: true, force: true });
  const failed = await playScenes({ release, vsix, extensions }, pictures, chosen());
  if (failed.length === 0) {
    return 0;
  }
  console.log(`once more, in a fresh VS Code: ${failed.join(", ")}`);
  return (await playScenes({ release, vsix, extensions }, path.join(pictures, "again"), withFirst(failed))).length;
}

/** Play scenes in a VS Code of their own. Return the names of those that failed. */
async function playScenes({ release, vsix, extensions }, pictures, names) {
  const server = new CodeServer(release, extensions);
  const folder = path.join(server.home, "project");
  fs.mkdirSync(folder);
  const environment = path.join(server.home, "environment");
  const python = hasTorch() ? torchEnvironment(environment) : bareEnvironment(environment);
  server.configure({ "inplace.interpreter": python });
  let browser;
  const failed = [];
  try {
    server.install(vsix);
    server.install(await packDebugger(server.home));
    await server.start({ trust: true });
    browser = await launchChromium();
    const bench = await Workbench.open(browser, server, folder, pictures);
    for (const name of names) {
      if (!(await play(name, bench, { python, torch: hasTorch() }))) {
        failed.push(name);
      }
    }
  } finally {
    await browser?.close();
    await server.stop({ keep: failed.length > 0 });
    if (failed.length > 0) {
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

/** The scenes to play: those that --scenes names; all without. */
function chosen() {
  const at = process.argv.indexOf("--scenes");
  return at < 0 ? SCENES : withFirst(process.argv[at + 1].split(","));
}

/** These scenes after the first of all, which trusts the folder. */
function withFirst(names) {
  return [SCENES[0], ...names.filter((name) => name !== SCENES[0])];
}

/** Play a scene, and return whether it went well. */
async function play(name, bench, given) {
  const began = Date.now();
  const scene = await import(`./scenes/${name}.mjs`);
  if (scene.NEEDS_TORCH && !given.torch) {
    console.log(`left out for want of torch: ${name}`);
    return true;
  }
  try {
    await scene.play(bench, given);
    console.log(`ok   ${name} (${Date.now() - began} ms)`);
    return true;
  } catch (error) {
    await bench.picture(`FAILED-${name}`).catch(() => undefined);
    console.log(`FAIL ${name}\n${error.stack}`);
    return false;
  }
}
