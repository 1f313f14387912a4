// Bundle the extension into dist/extension.js, and the tests of the extension host into dist/host-tests.js.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  logLevel: "warning",
};

const made = await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  minify: true,
  metafile: true,
});
fs.writeFileSync("dist/extension.js.LICENSES.txt", licenses(Object.keys(made.metafile.inputs)));
if (process.argv.includes("--tests")) {
  await build({ ...common, entryPoints: ["test/host/index.ts"], outfile: "dist/host-tests.js" });
}

/** The licences of the packages that are bundled, which they want to stay with them. */
function licenses(inputs) {
  const folders = new Set(
    inputs.map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean),
  );
  return [...folders].sort().map(licenseOf).join("\n");
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) {
    throw new Error(`${name} has no licence file, and may not be bundled without one`);
  }
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}
