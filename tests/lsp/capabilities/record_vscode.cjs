// What an extension built on vscode-languageclient declares: node record_vscode.cjs FOLDER OUT.json
//
// FOLDER holds node_modules/vscode-languageclient. The library's own code registers its features and computes the
// capabilities; only the `vscode` module, which exists nowhere but inside the editor, is stood in for.
const fs = require("fs");
const Module = require("module");
const path = require("path");

class Anything {
  constructor() {
    this.event = () => ({ dispose() {} });
  }
  dispose() {}
  fire() {}
}

const nested = () =>
  new Proxy(function () {}, {
    get: (_, key) => (key === "prototype" ? {} : key === Symbol.toPrimitive ? () => 0 : nested()),
    apply: () => nested(),
    construct: () => new Anything(),
  });

const editor = { version: "1.104.0", env: { appName: "Visual Studio Code", language: "en" } };
const vscode = new Proxy(editor, {
  get: (known, key) => (key in known ? known[key] : /^[A-Z]/.test(String(key)) ? class extends Anything {} : nested()),
  has: () => true,
});

const load = Module._load;
Module._load = function (request, ...rest) {
  return request === "vscode" ? vscode : load.call(this, request, ...rest);
};

const library = path.resolve(process.argv[2], "node_modules/vscode-languageclient/lib/node/main.js");
const { LanguageClient } = require(library);
const client = new LanguageClient("id", "name", { command: "none" }, { documentSelector: ["python"] });
fs.writeFileSync(process.argv[3], JSON.stringify(client.computeClientCapabilities(), null, 2) + "\n");
