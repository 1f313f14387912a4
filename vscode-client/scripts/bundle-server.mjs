// Put the server and the packages it needs into bundled/, so that it starts in any Python from 3.10 on.
//
//   node scripts/bundle-server.mjs [--target NAME]
//
// bundled/libs is pure Python. bundled/native holds libcst with its native part for each Python of the target, all of
// them beside each other, since Python picks by the name of the file; python/start.py says when it is used.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { chosen, PYTHONS, TARGETS } from "./targets.mjs";

const root = path.resolve(import.meta.dirname, "..");
const bundled = path.join(root, "bundled");
const libs = path.join(bundled, "libs");
const native = path.join(bundled, "native");
const python = process.env.PYTHON ?? "python3";
const target = chosen(process.argv);
const began = Date.now();
const isNative = (name) => /\.(so|pyd)$/.test(name);

fs.rmSync(bundled, { recursive: true, force: true });
fs.mkdirSync(libs, { recursive: true });
for (const name of ["start.py", "probe.py"]) {
  fs.copyFileSync(path.join(root, "python", name), path.join(bundled, name));
}
for (const [folder, name] of [
  ["server", "inplace_lsp"],
  ["libraries", "inplace_lsp_libraries"],
]) {
  fs.cpSync(path.join(root, "..", folder, name), path.join(libs, name), {
    recursive: true,
    filter: (from) => path.basename(from) !== "__pycache__",
  });
}
install("requirements.txt", "3.10", ["any"], libs, { pure: true });
install("requirements-slow.txt", "3.10", TARGETS["linux-x64"], libs);
remove(libs, isNative);
if (TARGETS[target].length > 0) {
  PYTHONS.forEach((version) => install("requirements-native.txt", version, TARGETS[target], native));
}
remove(bundled, isUseless);
console.log(`bundled the server for ${target} in ${((Date.now() - began) / 1000).toFixed(1)} s: ${size(bundled)} MB`);

/**
 * Install wheels for one Python; files that are already there stay, which adds the native parts to each other.
 *
 * The requirements name exact versions, so what pip made of them once is kept beside the modules of Node.
 */
function install(requirements, version, platforms, into, { pure = false } = {}) {
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--only-binary", ":all:"];
  const which = ["--python-version", version, ...platforms.flatMap((platform) => ["--platform", platform])];
  const kind = pure ? ["--implementation", "py", "--abi", "none"] : [];
  const file = path.join(root, "python", requirements);
  const asked = createHash("sha256").update(JSON.stringify([which, kind, fs.readFileSync(file, "utf8")]));
  const done = path.join(root, "node_modules", ".cache", "inplace-wheels", asked.digest("hex").slice(0, 16));
  if (!fs.existsSync(done)) {
    const fresh = `${done}.${process.pid}`;
    fs.mkdirSync(fresh, { recursive: true });
    const args = ["install", ...quiet, ...which, ...kind, "--target", fresh, "--requirement", file];
    execFileSync(python, ["-m", "pip", ...args], { stdio: ["ignore", "inherit", "inherit"] });
    fs.renameSync(fresh, done);
  }
  fs.cpSync(done, into, { recursive: true, force: false });
}

/** Whether a file is never loaded: scripts that name this machine's Python, packages' tests, records of the install. */
function isUseless(name) {
  const useless = [
    /[\\/]bin$/,
    /[\\/]libcst[\\/](.*[\\/])?tests$/,
    /\.dist-info[\\/](RECORD|INSTALLER|REQUESTED|direct_url\.json)$/,
  ];
  return useless.some((pattern) => pattern.test(name));
}

function remove(folder, unwanted) {
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    if (unwanted(name)) {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

function size(folder) {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return Math.round(
    files.reduce((sum, file) => sum + fs.statSync(path.join(file.parentPath, file.name)).size, 0) / 1e6,
  );
}
