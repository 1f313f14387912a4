import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { launch } from "../../src/server/launch";
import { level } from "../../src/server/log";
import { ending, LastLine, notStarted } from "../../src/server/process";
import { face, outlookText } from "../../src/server/state";
import { clientSettings, expand, serverSettings } from "../../src/settings";

const PYTHON = { executable: "/env/bin/python", prefix: "/env" };

describe("the command line of the server", () => {
  it("runs the server inside the extension in the user's Python, away from the user's files", () => {
    const made = launch({ extension: "/ext", serverPath: "", python: PYTHON }, ["serve"]);
    expect(made).toEqual({
      command: "/env/bin/python",
      args: [path.join("/ext", "bundled", "start.py"), "serve"],
      cwd: "/ext",
      env: { VIRTUAL_ENV: "/env" },
    });
  });

  it("runs another server if one is set, also without a Python", () => {
    expect(launch({ extension: "/ext", serverPath: "/bin/inplace-lsp" }, ["serve"])).toMatchObject({
      command: "/bin/inplace-lsp",
      args: ["serve"],
      env: {},
    });
  });

  it("is none without a Python", () => {
    expect(launch({ extension: "/ext", serverPath: "" }, ["serve"])).toBeUndefined();
  });
});

describe("settings", () => {
  const from = (values: Record<string, unknown>) => (key: string) => values[key];

  it("hands on what the server knows, and nothing else", () => {
    const values = { select: null, ignore: ["IP3"], inlayHints: "all", codeLens: false, interpreter: "/p" };
    expect(serverSettings(from(values))).toEqual({ ignore: ["IP3"], inlayHints: "all", codeLens: false });
  });

  it("has defaults for what is missing or of no known kind", () => {
    expect(clientSettings(from({ interpreter: 3, showTraceAfterVerify: "sometimes" }), "/w")).toEqual({
      interpreter: "",
      serverPath: "",
      logLevel: "warning",
      showTraceAfterVerify: "hazards",
    });
  });

  it.each([
    ["", ""],
    ["python3.12", "python3.12"],
    ["/usr/bin/python3", "/usr/bin/python3"],
    ["~/env/bin/python", path.join(os.homedir(), "env/bin/python")],
    ["${workspaceFolder}/.venv/bin/python", "/w/.venv/bin/python"],
    [" .venv/bin/python ", path.join("/w", ".venv/bin/python")],
  ])("reads the path %j", (value, expected) => {
    expect(expand(value, "/w")).toBe(expected);
  });
});

describe("words", () => {
  it("tells how a process ended", () => {
    expect(ending(3, null)).toBe("exit status 3");
    expect(ending(null, "SIGKILL")).toBe("killed by SIGKILL");
    expect(notStarted("/p", Object.assign(new Error("spawn"), { code: "EACCES" }))).toContain("may not be executed");
  });

  it("keeps the last line of a text that comes in pieces", () => {
    const said = new LastLine();
    ["Traceback\n  File", " x\nImport", "Error: no\n", "\n"].forEach((piece) => {
      said.add(piece);
    });
    expect(said.text).toBe("ImportError: no");
  });

  it("takes the level of a line from the server's log", () => {
    const line = "2026-01-02 03:04:05,678 WARNING inplace_lsp.lsp.session: a word";
    expect(level(line)).toEqual({ how: "warn", what: "inplace_lsp.lsp.session: a word" });
    expect(level("Traceback (most recent call last):")).toEqual({
      how: "info",
      what: "Traceback (most recent call last):",
    });
  });

  it("shows versions when all is well", () => {
    const versions = { server: "0.1.0", python: "3.12.1", torch: "2.13.0" };
    expect(face({ kind: "running", versions }, true)).toMatchObject({
      text: "inplace-lsp 0.1.0",
      detail: "Python 3.12.1, torch 2.13.0",
      severity: "information",
    });
    expect(face({ kind: "running", versions: { server: "0.1.0", python: "3.12.1" } }, true).detail).toContain(
      "no torch",
    );
    expect(face({ kind: "running", versions }, false)).toMatchObject({
      detail: "restricted mode: verify is off",
      action: "trust",
    });
  });

  it.each([
    [{ functions: 3, findings: 0, partly: 0 }, "3 functions analysed, nothing found"],
    [{ functions: 1, findings: 1, partly: 0 }, "1 function analysed, 1 finding"],
    [{ functions: 4, findings: 2, partly: 1 }, "4 functions analysed (1 only partly), 2 findings"],
  ])("says what is known of the file: %j", (outlook, said) => {
    expect(outlookText(outlook)).toBe(said);
  });

  it("shows what is wrong, and what can be done", () => {
    const waiting = face({ kind: "waiting", reason: "killed by SIGKILL", seconds: 2 }, true);
    expect(waiting).toMatchObject({
      detail: "killed by SIGKILL; starting again in 2 s",
      severity: "warning",
      action: "log",
    });
    expect(face({ kind: "failed", reason: "no Python" }, true)).toMatchObject({ severity: "error", action: "restart" });
  });
});
