// From a .vsix to a finding on the screen: install it into a fresh VS Code, open the example, and take a picture.
import fs from "node:fs";
import path from "node:path";
import { launchChromium } from "../test/lib/chromium.mjs";
import { CodeServer } from "../test/lib/codeServer.mjs";
import { missing } from "../test/lib/editors.mjs";
import { Workbench } from "../test/workbench/workbench.mjs";

const client = path.resolve(import.meta.dirname, "..");
const vsix = path.join(client, `inplace-lsp-${process.platform}-${process.arch}.vsix`);
const lacking = missing(["current"]);
if (lacking.length > 0) {
  console.error(`missing:\n  ${lacking.join("\n  ")}`);
  process.exit(1);
}

const server = new CodeServer("current");
const folder = path.join(server.home, "project");
fs.mkdirSync(folder);
fs.copyFileSync(path.join(client, "../examples/train_vae.py"), path.join(folder, "train_vae.py"));
server.configure({ "inplace.interpreter": process.env.PYTHON ?? "python3" });
const pictures = path.join(client, "test-output");
let browser;
try {
  server.install(vsix);
  await server.start();
  browser = await launchChromium();
  const bench = await Workbench.open(browser, server, folder, pictures);
  await bench.open("train_vae.py");
  await bench.goToLine(73);
  await bench.squiggle().waitFor({ timeout: 60_000 });
  await bench.picture("demo");
  console.log(`The extension is installed and shows its findings: see ${path.join(pictures, "demo.png")}`);
} finally {
  await browser?.close();
  await server.stop();
}
