// Run the tests of test/host inside the extension host of a real VS Code, against the packaged extension.
import fs from "node:fs";
import path from "node:path";
import { launchChromium } from "../lib/chromium.mjs";
import { CodeServer } from "../lib/codeServer.mjs";
import { PATIENCE } from "../lib/patience.mjs";
import { bareEnvironment, hasTorch, torchEnvironment } from "../lib/python.mjs";

const FOR_ALL = 5 * PATIENCE;
const client = path.resolve(import.meta.dirname, "../..");

/** The number of failed tests, or more than none if they did not run. */
export async function runHostTests(release, vsix, extensions) {
  const server = new CodeServer(release, extensions);
  const workspace = path.join(server.home, "workspace");
  fs.mkdirSync(workspace);
  const environment = path.join(server.home, "environment");
  process.env.INPLACE_TEST_PYTHON = hasTorch() ? torchEnvironment(environment) : bareEnvironment(environment);
  let browser;
  let code = 1;
  try {
    server.install(vsix);
    await server.start({ tests: true });
    browser = await launchChromium();
    const page = await browser.newPage();
    code = await finished(page, server, workspace);
  } finally {
    await browser?.close();
    await server.stop({ keep: code !== 0 });
    if (code !== 0) {
      console.error(`the folders of VS Code are kept in ${server.home}`);
    }
  }
  return code;
}

/** VS Code's workbench tells the page how the tests go, through these two functions. */
async function finished(page, server, workspace) {
  const exit = new Promise((resolve, reject) => {
    page.exposeFunction("codeAutomationExit", resolve);
    const words = (type, args) => args.join(" ").startsWith("[test]") && console.log(args.join(" ").slice(7));
    page.exposeFunction("codeAutomationLog", words);
    setTimeout(() => reject(new Error("the tests in the extension host do not end")), FOR_ALL).unref();
  });
  const payload = [
    ["extensionDevelopmentPath", server.uri(path.join(client, "test/host/python-extension"))],
    ["extensionTestsPath", server.uri(path.join(client, "dist/host-tests.js"))],
    ["skipWelcome", "true"],
  ];
  await page.goto(server.url(workspace, payload));
  return exit;
}
