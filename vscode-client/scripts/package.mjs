// Make the .vsix: the extension, and inside it the server for this machine's platform or the one that is named.
//
//   npm run package                          for this machine
//   npm run package -- --target win32-x64    for another (scripts/targets.mjs lists them)
//   npm run package -- --target universal    without any native part
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { chosen } from "./targets.mjs";

const root = path.resolve(import.meta.dirname, "..");
const target = chosen(process.argv);
const file = path.join(root, `inplace-lsp-${target}.vsix`);
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const repository = manifest.repository.url.replace(/\.git$/, "");

for (const script of ["build.mjs", "bundle-server.mjs"]) {
  execFileSync(process.execPath, [path.join(root, "scripts", script), "--target", target], {
    cwd: root,
    stdio: "inherit",
  });
}
fs.copyFileSync(path.join(root, "..", "LICENSE"), path.join(root, "LICENSE"));
fs.copyFileSync(path.join(root, "..", "examples", "train_vae.py"), path.join(root, "media", "example.py"));
await createVSIX({
  cwd: root,
  packagePath: file,
  dependencies: false, // esbuild has put them into dist/extension.js
  baseContentUrl: `${repository}/blob/main/vscode-client`, // market places show the README without the files beside it
  baseImagesUrl: `${repository}/raw/main/vscode-client`,
  // the search for secrets takes minutes over thousands of files that are published packages or lie in the repository
  allowPackageAllSecrets: true,
  allowPackageEnvFile: true,
  ...(target === "universal" ? {} : { target }),
});
console.log(`${path.relative(process.cwd(), file)}: ${(fs.statSync(file).size / 1e6).toFixed(1)} MB`);
