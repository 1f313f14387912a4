// Scenes in the real workbench: one VS Code, one folder, one scene after the other as in a working day.
import fs from "node:fs";
import path from "node:path";
import { launchChromium } from "../lib/chromium.mjs";
import { CodeServer } from "../lib/codeServer.mjs";
import { bareEnvironment, hasTorch, torchEnvironment } from "../lib/python.mjs";
import { Workbench } from "./workbench.mjs";

const SCENES = [
  "restricted",
  "findings",
  "status",
  "verify",
  "cancel",
  "notebook",
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
    await server.start({ trust: true });
    browser = await launchChromium();
    const bench = await Workbench.open(browser, server, folder, pictures);
    for (const name of SCENES) {
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
