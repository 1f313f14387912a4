import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { advice, candidates, type Offers } from "../../src/interpreter/choose";
import { find } from "../../src/interpreter/find";
import { described, fit, probe } from "../../src/interpreter/probe";

const OFFERS: Offers = { setting: "", trusted: true, platform: "linux" };
const PYTHON = process.env["PYTHON"] ?? "python3";

describe("choosing", () => {
  it("takes the setting before all else, and nothing besides", () => {
    const offers = { ...OFFERS, setting: "/mine", extension: "/theirs" };
    expect(candidates(offers)).toEqual([{ path: "/mine", source: "setting" }]);
  });

  it("takes what is selected in the Python extension", () => {
    expect(candidates({ ...OFFERS, extension: "/theirs" })).toEqual([{ path: "/theirs", source: "python-extension" }]);
  });

  it("does not run what a workspace that is not trusted may have selected", () => {
    const offers = { ...OFFERS, extension: "/workspace/.venv/bin/python", trusted: false };
    expect(candidates(offers).map((candidate) => candidate.path)).toEqual(["python3", "python"]);
  });

  it("looks on the PATH under the names of the platform", () => {
    expect(candidates({ ...OFFERS, platform: "win32" }).map((candidate) => candidate.path)).toEqual(["python", "py"]);
  });
});

describe("finding", () => {
  it("falls back from one name on the PATH to the next", async () => {
    const found = await find(OFFERS, (name) =>
      name === "python"
        ? Promise.resolve(described(name, '{"version": "3.12.1", "prefix": "/usr"}'))
        : Promise.reject(new Error("no")),
    );
    expect(found.executable).toBe("python");
  });

  it("says what is wrong with what was chosen, and what to do", async () => {
    const broken = find({ ...OFFERS, setting: "/mine" }, () => Promise.reject(new Error("/mine is broken")));
    await expect(broken).rejects.toThrow(`/mine is broken. ${advice("setting")}`);
  });
});

describe("what an interpreter says of itself", () => {
  it("is read", () => {
    const python = described("/p", '{"version": "3.11.7", "prefix": "/env", "torch": "2.13.0"}');
    expect(python).toEqual({ executable: "/p", version: "3.11.7", prefix: "/env", torch: "2.13.0" });
  });

  it.each(["", "hello", "[]", "{}", '{"version": 3}'])("is not believed: %j", (printed) => {
    expect(() => described("/p", printed)).toThrow("/p is no Python interpreter");
  });

  it.each(["2.7.18", "3.6.15", "3.9.18"])("is too old: %s", (version) => {
    expect(() => fit({ executable: "/p", version, prefix: "/" })).toThrow(`/p is Python ${version}; 3.10 or later`);
  });

  it.each(["3.10.0", "3.14.2", "4.0.0"])("will do: %s", (version) => {
    expect(fit({ executable: "/p", version, prefix: "/" }).version).toBe(version);
  });
});

describe("probing", () => {
  let extension: string;
  beforeAll(() => {
    extension = fs.mkdtempSync(path.join(os.tmpdir(), "inplace-probe-"));
    fs.mkdirSync(path.join(extension, "bundled"));
    fs.copyFileSync("python/probe.py", path.join(extension, "bundled", "probe.py"));
  });
  afterAll(() => {
    fs.rmSync(extension, { recursive: true });
  });

  const program = (text: string): string => {
    const file = path.join(extension, "program");
    fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  };

  it("asks a real Python", async () => {
    const version = execFileSync(PYTHON, ["-c", "import platform; print(platform.python_version())"], {
      encoding: "utf8",
    });
    expect((await probe(PYTHON, extension)).version).toBe(version.trim());
  });

  it("names a file that is not there", async () => {
    await expect(probe("/no/such/python", extension)).rejects.toThrow(
      "/no/such/python cannot be started: there is no such file",
    );
  });

  it("names a file that may not be run", async () => {
    const file = path.join(extension, "bundled", "probe.py");
    await expect(probe(file, extension)).rejects.toThrow("it may not be executed");
  });

  it("repeats the last words of a broken one", async () => {
    const broken = program("echo libpython is missing >&2; exit 127");
    await expect(probe(broken, extension)).rejects.toThrow("(exit status 127): libpython is missing");
  });

  it("is not taken in by another program", async () => {
    await expect(probe(program("echo hello"), extension)).rejects.toThrow("does not answer as one");
  });

  it("does not wait forever", async () => {
    await expect(probe(program("exec sleep 60"), extension, 200)).rejects.toThrow("gave up after 0.2 s");
  });
});
