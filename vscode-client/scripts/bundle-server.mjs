// Put the server and the packages it needs into bundled/, so that it starts in any Python from 3.10 on.
//
//   node scripts/bundle-server.mjs [--target NAME]
//
// All packages are pure Python but libcst: its native part is taken for each Python of the target, and all of them lie
// beside each other, since Python picks by the name of the file.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { chosen, PYTHONS, TARGETS } from "./targets.mjs";

const root = path.resolve(import.meta.dirname, "..");
const bundled = path.join(root, "bundled");
const libs = path.join(bundled, "libs");
const python = process.env.PYTHON ?? "python3";
const target = chosen(process.argv);
const began = Date.now();

fs.rmSync(bundled, { recursive: true, force: true });
fs.mkdirSync(libs, { recursive: true });
for (const name of ["start.py", "probe.py"]) {
  fs.copyFileSync(path.join(root, "python", name), path.join(bundled, name));
}
fs.cpSync(path.join(root, "..", "server", "inplace_lsp"), path.join(libs, "inplace_lsp"), {
  recursive: true,
  filter: (from) => path.basename(from) !== "__pycache__",
});
pure("requirements.txt");
if (TARGETS[target].length > 0) {
  for (const version of PYTHONS) {
    native(version, TARGETS[target]);
  }
}
tidy();
console.log(`bundled the server for ${target} in ${((Date.now() - began) / 1000).toFixed(1)} s: ${size(bundled)} MB`);

/** Install wheels that run on any platform and any Python from 3.10 on. */
function pure(requirements) {
  pip(
    libs,
    ["--python-version", "3.10", "--implementation", "py", "--abi", "none", "--platform", "any"],
    ["--requirement", path.join(root, "python", requirements)],
  );
}

/** Install libcst for one Python: everything the first time, then only what differs. */
function native(version, platforms) {
  const there = path.join(libs, "libcst");
  const into = fs.mkdtempSync(path.join(os.tmpdir(), "inplace-native-"));
  try {
    pip(
      into,
      ["--python-version", version, ...platforms.flatMap((one) => ["--platform", one])],
      ["--requirement", path.join(root, "python", "requirements-native.txt")],
    );
    if (!fs.existsSync(there)) {
      fs.cpSync(into, libs, { recursive: true });
      return;
    }
    for (const name of fs.readdirSync(path.join(into, "libcst")).filter((one) => /\.(so|pyd)$/.test(one))) {
      fs.copyFileSync(path.join(into, "libcst", name), path.join(there, name));
    }
  } finally {
    fs.rmSync(into, { recursive: true, force: true });
  }
}

function pip(into, which, what) {
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--only-binary", ":all:"];
  execFileSync(python, ["-m", "pip", "install", ...quiet, ...which, "--target", into, ...what], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Away with what is never loaded: scripts that name this machine's Python, packages' own tests, records of the install. */
function tidy() {
  const useless = [
    /^bin$/,
    /^libcst[\\/](.*[\\/])?tests$/,
    /\.dist-info[\\/](RECORD|INSTALLER|REQUESTED|direct_url\.json)$/,
  ];
  for (const name of fs.readdirSync(libs, { recursive: true })) {
    if (useless.some((one) => one.test(name)) || path.basename(name) === "__pycache__") {
      fs.rmSync(path.join(libs, name), { recursive: true, force: true });
    }
  }
}

function size(folder) {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Math.round(files.reduce((sum, one) => sum + fs.statSync(path.join(one.parentPath, one.name)).size, 0) / 1e6);
}
