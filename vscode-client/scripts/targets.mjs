// The platforms a .vsix can be made for, by VS Code's names, each with what PyPI calls it.
export const TARGETS = {
  "linux-x64": ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64"],
  "linux-arm64": ["manylinux_2_28_aarch64", "manylinux_2_17_aarch64"],
  "darwin-x64": ["macosx_10_12_x86_64"],
  "darwin-arm64": ["macosx_11_0_arm64"],
  "win32-x64": ["win_amd64"],
  universal: [], // no native part
};

/** The Pythons whose native part of libcst is bundled. Others find it in the user's environment or do without. */
export const PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"];

/** The target from `--target NAME`, else this machine. */
export function chosen(args) {
  const at = args.indexOf("--target");
  const here = `${process.platform}-${process.arch}`;
  const name = at >= 0 ? args[at + 1] : here in TARGETS ? here : "universal";
  if (!(name in TARGETS)) {
    throw new Error(`--target ${name}: must be one of ${Object.keys(TARGETS).join(", ")}`);
  }
  return name;
}
