import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LAUNCH_KEYS, SERVER_KEYS } from "../../src/settings";

interface Manifest {
  version: string;
  icon: string;
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { default?: unknown; markdownDescription?: string }> };
    walkthroughs: { steps: { description: string; media: { image?: string; markdown?: string } }[] }[];
  };
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
}
const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
const source = fs
  .readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => fs.readFileSync(path.join("src", name), "utf8"))
  .join("\n");

describe("the manifest", () => {
  it("declares the commands that are registered, and no others", () => {
    const declared = manifest.contributes.commands.map((command) => command.command).sort();
    const registered = [...source.matchAll(/"(inplace\.\w+)": \(/g)].map((match) => match[1]).sort();
    expect(declared).toEqual(registered);
  });

  it("describes every setting and gives it a default", () => {
    const { properties } = manifest.contributes.configuration;
    for (const [name, setting] of Object.entries(properties)) {
      expect(setting, name).toHaveProperty("default");
      expect(setting.markdownDescription, name).toBeTruthy();
    }
    for (const key of [...SERVER_KEYS, ...LAUNCH_KEYS]) {
      expect(properties).toHaveProperty([`inplace.${key}`]);
    }
  });

  it("has every setting in the README, with its default", () => {
    const readme = fs.readFileSync("README.md", "utf8");
    const table = [...readme.matchAll(/^\| `(inplace\.[\w.]+)` +\| `(.*?)` +\|/gm)];
    const told = table.map(([, name, value]) => [name, JSON.parse(value ?? "") as unknown]);
    const properties = Object.entries(manifest.contributes.configuration.properties);
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(properties.map(([name, property]) => [name, property.default])),
    );
  });

  it("lets no workspace name programs before it is trusted", () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe("limited");
    expect(restrictedConfigurations).toEqual(expect.arrayContaining(["inplace.interpreter", "inplace.server.path"]));
  });

  it("leads through what exists", () => {
    const commands = new Set(manifest.contributes.commands.map((command) => command.command));
    for (const { steps } of manifest.contributes.walkthroughs) {
      for (const step of steps) {
        const linked = [...step.description.matchAll(/command:([\w.]+)/g)].map((match) => match[1] ?? "");
        expect(linked.every((command) => commands.has(command))).toBe(true);
        expect(fs.existsSync(step.media.image ?? step.media.markdown ?? "")).toBe(true);
      }
    }
  });

  it("has an icon of 256 by 256 points", () => {
    const png = fs.readFileSync(manifest.icon);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
  });

  it("has the version of the server", () => {
    const version = /__version__ = "(.*)"/.exec(fs.readFileSync("../server/inplace_lsp/version.py", "utf8"))?.[1];
    expect(manifest.version).toBe(version);
  });
});

/** What only the command line needs: an editor never checks with --watch. */
const NOT_SERVED = new Set(["watchfiles"]);

it("bundles every package that the server depends on", () => {
  const project = fs.readFileSync("../pyproject.toml", "utf8");
  const wanted = /^dependencies = \[\n([^\]]*)\]/m.exec(project)?.[1]?.matchAll(/"([\w-]+)/g) ?? [];
  const lists = fs.readdirSync("python").filter((name) => name.startsWith("requirements"));
  const pinned = lists.map((name) => fs.readFileSync(path.join("python", name), "utf8")).join("\n");
  for (const [, name] of [...wanted].filter(([, known]) => !NOT_SERVED.has(known ?? ""))) {
    expect(pinned).toMatch(new RegExp(`^${name ?? ""}==`, "im"));
  }
});

it("names no machine's registry in the lock file", () => {
  expect(fs.readFileSync("package-lock.json", "utf8")).not.toContain('"resolved"');
});

it("commits no folder that is made", () => {
  const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
  expect(tracked.filter((name) => /^(dist|bundled|node_modules|test-output)\//.test(name))).toEqual([]);
});
