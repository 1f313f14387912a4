import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { test, until } from "./runner";
import { configure, extension, findings, folder, HAZARD, open, state } from "./support";

interface StandIn {
  select(path: string): void;
}

async function pythonExtension(): Promise<StandIn> {
  const found = vscode.extensions.getExtension<StandIn>("ms-python.python");
  assert.ok(found);
  return found.activate();
}

test("runs in the interpreter that is selected in the Python extension, and moves when another is", async () => {
  const ours = await extension();
  await state("running");
  const first = ours.pid;
  const selected = process.env["INPLACE_TEST_PYTHON"] ?? "";
  assert.equal(command(first), selected);

  const other = path.join(folder(), "other-python");
  fs.rmSync(other, { force: true });
  fs.symlinkSync(fs.realpathSync(selected), other);
  (await pythonExtension()).select(other);
  await until("another process", () => ours.pid !== undefined && ours.pid !== first && ours.state.kind === "running");
  assert.equal(command(ours.pid), other);
  (await pythonExtension()).select(selected);
  await until("the first interpreter", () => command(ours.pid) === selected && ours.state.kind === "running");
});

test("says what is wrong with an interpreter, and recovers when the setting is mended", async () => {
  const editor = await open("hazard.py", HAZARD);
  await configure("interpreter", path.join(folder(), "no-python"));
  const { reason } = await state("failed");
  assert.match(reason, /no-python cannot be started: there is no such file/);
  assert.match(reason, /inplace\.interpreter/);
  await configure("interpreter", undefined);
  await state("running");
  await findings(editor.document.uri);
});

test("runs another server if one is set", async () => {
  const server = path.join(folder(), "my-server");
  const bundled = vscode.extensions.getExtension("inplace-lsp.inplace-lsp")?.extensionPath ?? "";
  const python = process.env["INPLACE_TEST_PYTHON"] ?? "";
  fs.writeFileSync(server, `#!/bin/sh\nexec "${python}" "${bundled}/bundled/start.py" "$@"\n`, { mode: 0o755 });
  const ours = await extension();
  const before = ours.pid;
  await configure("server.path", "${workspaceFolder}/my-server");
  await until("another process", () => ours.pid !== before && ours.state.kind === "running");
  await configure("interpreter", "/no/such/python"); // then only verify is off
  const { versions } = await until("no Python", () => {
    return ours.state.kind === "running" && ours.state.versions.python === undefined && ours.state;
  });
  assert.match(versions.server, /^\d/);
  await configure("interpreter", undefined);
  await configure("server.path", undefined);
  await until("the bundled server", () => ours.state.kind === "running" && ours.state.versions.python !== undefined);
});

function command(pid: number | undefined): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid ?? 0}/cmdline`, "utf8").split("\0")[0];
  } catch {
    return undefined;
  }
}
