// Drive the playground of a built site in headless Chromium, and print what was seen as JSON: node drive.mjs SITE [PICTURES]
import { createServer } from "node:http";
import { createReadStream, existsSync, statSync } from "node:fs";
import { delimiter, extname, join, normalize } from "node:path";
import { env, argv } from "node:process";
import { chromium } from "playwright-core";

const [, , site, pictures] = argv;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ARGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync";
const ERROR =
  "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: " +
  "[torch.FloatTensor [32, 64]], which is output 0 of SigmoidBackward0, is at version 1; expected version 0 instead.";
const NEWER = "import torch\n\nx = torch.rand(3, requires_grad=True)\nmatch x.dim():\n    case 1:\n        y = x.exp()\n        y.add_(1)\n        y.sum().backward()\n";

function findChromium() {
  const folders = (env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
  return env.CHROMIUM ?? found;
}

function serve() {
  const server = createServer((request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    let file = join(site, path);
    if (existsSync(file) && statSync(file).isDirectory()) {
      file = join(file, "index.html");
    }
    if (!existsSync(file)) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** What the page says of itself: attributes of its root element. */
const said = (page, name) => page.evaluate((key) => document.documentElement.dataset[key], name);

/** Wait for a check that is newer than `round`, and for its repairs. */
async function waitForCheck(page, round) {
  await page.waitForFunction(
    (before) => Number(document.documentElement.dataset.playgroundRepaired ?? 0) > before,
    round,
    { timeout: 120_000 },
  );
  return JSON.parse(await said(page, "playgroundChecked"));
}

async function type(page, text) {
  const round = JSON.parse((await said(page, "playgroundChecked")) ?? '{"round": 0}').round;
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.evaluate((program) => navigator.clipboard.writeText(program), text);
  await page.keyboard.press("Control+v");
  return waitForCheck(page, round);
}

const server = await serve();
const address = `http://127.0.0.1:${server.address().port}/playground/`;
const browser = await chromium.launch({ executablePath: findChromium(), headless: true, args: ARGS.split(" ") });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
await context.grantPermissions(["clipboard-read", "clipboard-write"]);
const page = await context.newPage();
const requests = [];
const problems = [];
context.on("request", (request) => requests.push(request.url()));
page.on("pageerror", (error) => problems.push(String(error)));
page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
const report = { problems };

await page.goto(address);
const first = await waitForCheck(page, 0);
report.loadSeconds = Number(await said(page, "playgroundSeconds"));
report.first = first;
report.elsewhere = requests.filter((url) => !url.startsWith(new URL(address).origin));
report.loaded = requests.length;
requests.length = 0;

// the README's example, warm: an edit that changes a number
const gate = await page.evaluate(async () => (await (await fetch("app/examples.json")).json())[0].text);
requests.length = 0;
report.warm = await type(page, gate.replace("0.9", "0.8"));

// a hover with the message, the story beside it, the tape's picture
await page.locator(".cm-lintRange").first().hover();
report.hover = await page.locator(".cm-tooltip .pg-hover").first().innerText();
report.story = await page.locator(".pg-card").first().locator(".pg-story li").allInnerTexts();
await page.mouse.move(5, 5);
await page.locator(".pg-card details summary").first().click();
const picture = page.locator(".pg-tape img").first();
await picture.waitFor();
report.picture = await picture.evaluate((image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]));
const sideways = () => page.locator(".pg-tape").first().evaluate((tape) => tape.scrollWidth - tape.clientWidth);
report.sideways = [await sideways()];

// torch's error
await page.locator(".pg-why textarea").fill(ERROR);
await page.locator(".pg-why button").first().click();
await page.locator(".pg-causes li").first().waitFor();
report.causes = await page.locator(".pg-causes > ol > li").allInnerTexts();
await page.locator(".pg-why textarea").fill("It does not work.");
await page.locator(".pg-why button").first().click();
const noMessage = page.getByText("contains no PyTorch error");
await noMessage.waitFor();
report.noMessage = await noMessage.innerText();

await page.setViewportSize({ width: 500, height: 900 });
report.sideways.push(await sideways());
report.widthAt500 = await page.evaluate(() => document.documentElement.scrollWidth);
if (pictures) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(pictures, "playground-500.png"), fullPage: true });
}
await page.setViewportSize({ width: 1280, height: 900 });
if (pictures) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await page.screenshot({ path: join(pictures, "playground.png") });
}

// the repair
let round = JSON.parse(await said(page, "playgroundChecked")).round;
await page.locator(".pg-card .pg-repair").first().click();
report.repaired = await waitForCheck(page, round);
report.repairedText = await page.locator(".cm-content").innerText();

// syntax that the repairs cannot read
report.newer = await type(page, NEWER);
report.newerNote = await page.locator(".pg-repairs .pg-note").first().innerText();

// every example; the first, which is the chosen one, at last
report.examples = [];
const count = Number(await said(page, "playgroundExamples"));
for (const number of [...Array(count).keys()].slice(1).concat(0)) {
  round = JSON.parse(await said(page, "playgroundChecked")).round;
  await page.locator(".pg-bar select").selectOption(String(number));
  await page.waitForFunction((before) => JSON.parse(document.documentElement.dataset.playgroundChecked).round > before, round);
  const checked = JSON.parse(await said(page, "playgroundChecked"));
  report.examples[number] = { found: checked.found, took: checked.took };
}
report.requestsAfterLoading = requests.filter((url) => !url.startsWith("blob:") && !url.startsWith("data:"));

// the link
await type(page, NEWER);
await page.locator(".pg-share").click();
await page.waitForFunction(() => location.hash.startsWith("#program="));
report.link = page.url();
const other = await context.newPage();
await other.goto(report.link);
await other.waitForFunction(() => Number(document.documentElement.dataset.playgroundRepaired ?? 0) > 0, null, { timeout: 120_000 });
report.linked = (await other.locator(".cm-content .cm-line").allInnerTexts()).map((line) => (line === "\n" ? "" : line)).join("\n");

console.log(JSON.stringify(report));
await browser.close();
server.close();
