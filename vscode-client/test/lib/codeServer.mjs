// One running VS Code (code-server) with folders of its own, and the extensions it is given.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { codeServer } from "./editors.mjs";
import { PATIENCE } from "./patience.mjs";

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "chat.disableAIFeatures": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.untrustedFiles": "open",
  "git.enabled": false,
  "editor.hover.delay": 100,
  "editor.lightbulb.enabled": "on",
  "editor.minimap.enabled": false,
  "window.menuBarVisibility": "classic",
};

/** What is installed, by folder: to unpack the thousands of files of our .vsix takes long. */
const installed = new Set();

/**
 * A VS Code that runs. Call `stop` when done; nothing of it is left then.
 *
 * `extensions`: a folder of extensions that others of the same release have used or will; else it has one of its own.
 */
export class CodeServer {
  constructor(release, extensions) {
    this.release = release;
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), "inplace-vscode-"));
    this.extensions = extensions ?? path.join(this.home, "extensions");
    for (const name of ["user/User", "user/Machine", "run"]) {
      fs.mkdirSync(path.join(this.home, name), { recursive: true });
    }
    fs.writeFileSync(path.join(this.home, "config.yaml"), "");
    this.configure({});
  }

  /** Change the settings; VS Code notices. Those that name programs of a machine are kept apart from the user's. */
  configure(settings) {
    this.settings = { ...this.settings, ...settings };
    for (const [file, values] of [
      ["User", { ...SETTINGS, ...this.settings }],
      ["Machine", this.settings],
    ]) {
      const there = path.join(this.home, "user", file, "settings.json");
      fs.writeFileSync(`${there}.new`, JSON.stringify(values, null, 1));
      fs.renameSync(`${there}.new`, there);
    }
  }

  /** Install a .vsix as a user does, unless it is there. */
  install(vsix) {
    const what = path.join(this.extensions, path.basename(vsix));
    if (installed.has(what)) {
      return;
    }
    execFileSync(process.execPath, [...this.#command(), "--install-extension", vsix], {
      env: this.#environment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    installed.add(what);
  }

  /** Start it and wait until it answers. `trust`: whether VS Code asks whom to trust; else everything is trusted. */
  async start({ trust = false, tests = false } = {}) {
    this.port = await freePort();
    const log = fs.openSync(path.join(this.home, "code-server.log"), "w");
    const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${this.port}`, "--disable-telemetry"];
    options.push("--disable-update-check", "--disable-getting-started-override");
    if (!trust) {
      options.push("--disable-workspace-trust");
    }
    if (tests && this.release === "current") {
      options.push("--vscode-option", "enable-smoke-test-driver"); // else a built VS Code takes no tests
    }
    this.process = spawn(process.execPath, [...this.#command(), ...options], {
      env: this.#environment(),
      stdio: ["ignore", log, log],
      detached: true,
    });
    const deadline = Date.now() + PATIENCE;
    while (!(await answers(`http://127.0.0.1:${this.port}/healthz`))) {
      if (Date.now() > deadline) {
        throw new Error(`code-server did not start; see ${this.home}/code-server.log`);
      }
      await pause(100);
    }
  }

  /** The address of the workbench for a folder. */
  url(folder, payload = []) {
    const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
    return `http://127.0.0.1:${this.port}/?${query}`;
  }

  /** The address of a file or folder as VS Code names it. */
  uri(file) {
    return `vscode-remote://127.0.0.1:${this.port}${file}`;
  }

  /** Stop it and everything it started. */
  async stop({ keep = false } = {}) {
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      try {
        process.kill(-this.process.pid, signal);
      } catch {
        break; // it is gone
      }
      await pause(signal === "SIGTERM" ? 1000 : 100);
    }
    if (!keep) {
      fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  #command() {
    const home = ["--user-data-dir", path.join(this.home, "user"), "--extensions-dir", this.extensions];
    return [codeServer(this.release), "--config", path.join(this.home, "config.yaml"), ...home];
  }

  #environment() {
    const own = Object.fromEntries(
      ["CONFIG", "DATA", "CACHE"].map((name) => [`XDG_${name}_HOME`, path.join(this.home, name.toLowerCase())]),
    );
    return { ...process.env, ...own, XDG_RUNTIME_DIR: path.join(this.home, "run") };
  }
}

/** Wait. */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What `look` returns once it is something; an error that says `what` was waited for if that takes too long. */
export async function until(what, look, milliseconds = PATIENCE) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found) {
      return found;
    }
    if (Date.now() > deadline) {
      throw Object.assign(new Error(`timed out: ${what}`), { name: "TimeoutError" });
    }
    await pause(100);
  }
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
