// Tests in real editors: inside the extension host, and in the workbench, on the present VS Code and on an older one.
//
//   node test/editors.mjs [--only host|workbench] [--release current|older] [--scenes NAME,...] [--pictures]
//
// --pictures: take those over that the README and the walkthrough show.
// Needs the .vsix (npm run package). Where an editor is missing it says so and how to get it; with CI set it fails.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { missing, RELEASES } from "./lib/editors.mjs";
import { runHostTests } from "./host/run.mjs";
import { runWorkbenchTests } from "./workbench/run.mjs";

const PICTURES = [
  ...["squiggle", "hover", "quickfix", "trace", "notebook"],
  ...["trace-500", "trace-900", "trace-1400", "trace-light", "trace-high-contrast"],
];
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : [process.argv[at + 1]];
};
const client = path.resolve(import.meta.dirname, "..");
const releases = option("release", Object.keys(RELEASES));
const kinds = { host: runHostTests, workbench: runWorkbenchTests };

const lacking = missing(releases);
if (lacking.length > 0) {
  const ci = process.env.CI !== undefined && process.env.CI !== "";
  console.error(`${ci ? "missing" : "left out, for want of them"}: the tests in VS Code`);
  lacking.forEach((editor) => console.error(`  ${editor}`));
  process.exit(ci ? 1 : 0);
}

const vsix = fs.readdirSync(client).find((name) => name === `inplace-lsp-${process.platform}-${process.arch}.vsix`);
if (vsix === undefined) {
  throw new Error("there is no .vsix for this machine: npm run package");
}
let failed = 0;
for (const release of releases) {
  const extensions = fs.mkdtempSync(path.join(os.tmpdir(), "inplace-extensions-"));
  for (const kind of option("only", Object.keys(kinds))) {
    const began = Date.now();
    console.log(`${kind}, code-server ${RELEASES[release]}`);
    failed += await kinds[kind](release, path.join(client, vsix), extensions);
    console.log(`${kind}, code-server ${RELEASES[release]}: ${((Date.now() - began) / 1000).toFixed(0)} s`);
  }
  fs.rmSync(extensions, { recursive: true, force: true, maxRetries: 5 });
}
if (!["--only", "--release", "--scenes"].some((part) => process.argv.includes(part))) {
  console.log("the demo, as make vsix-demo plays it");
  const demo = spawnSync(process.execPath, [path.join(client, "scripts/demo.mjs")], { stdio: "inherit" });
  failed += demo.status === 0 ? 0 : 1;
}
if (process.argv.includes("--pictures") && failed === 0) {
  for (const name of PICTURES) {
    fs.copyFileSync(
      path.join(client, "test-output/current", `${name}.png`),
      path.join(client, "media/pictures", `${name}.png`),
    );
  }
}
process.exit(failed > 0 ? 1 : 0);
