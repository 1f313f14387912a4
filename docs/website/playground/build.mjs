// Bundle the page's script and its worker, and put Pyodide beside them: the page loads nothing from elsewhere.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { build } from "esbuild";

const PYODIDE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"];

await build({
  entryPoints: ["src/page.js", "src/worker.js", "src/page.css"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  external: ["./pyodide/pyodide.mjs"],
  legalComments: "eof",
});

mkdirSync("dist/pyodide", { recursive: true });
for (const name of PYODIDE) {
  copyFileSync(`node_modules/pyodide/${name}`, `dist/pyodide/${name}`);
}
const { version } = JSON.parse(readFileSync("node_modules/pyodide/package.json", "utf-8"));
console.log(`the playground is in docs/website/playground/dist, with Pyodide ${version}`);
