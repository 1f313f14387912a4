// Bundle the extension into dist/extension.js, and the tests of the extension host into dist/host-tests.js.
import { build } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  logLevel: "warning",
};

await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true });
if (process.argv.includes("--tests")) {
  await build({ ...common, entryPoints: ["test/host/index.ts"], outfile: "dist/host-tests.js" });
}
