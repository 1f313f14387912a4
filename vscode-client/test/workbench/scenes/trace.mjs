// The trace of a training: one story in sight at every width and in every theme, the others to choose from.
import assert from "node:assert/strict";
import { until } from "../../lib/codeServer.mjs";
import { ATTEMPT } from "../../lib/patience.mjs";
import { accessibilityProblems } from "../axe.mjs";
import { GAN } from "../programs.mjs";

const WIDTHS = [500, 900, 1400];
const HEIGHT = 800;
const THEMES = {
  light: ["Default Light Modern", "vscode-light"],
  dark: ["Default Dark Modern", "vscode-dark"],
  "high-contrast": ["Default High Contrast", "vscode-high-contrast"],
};
const READABLE = 4.5; // the contrast that WCAG 2 asks of text

export async function play(bench) {
  const { page } = bench;
  const size = page.viewportSize();
  await bench.edit("gan.py", GAN);
  await bench.squiggle().waitFor();
  await page.locator(".codelens-decoration", { hasText: "Verify" }).first().waitFor(); // it stands above that line
  await bench.putCursor("steps_critic.step()");
  const tab = page.locator(".tab", { hasText: /Trace: IP102 on line \d+/ }).first();
  await bench.command("inplace-lsp: Show Version-Counter Trace", () => tab.waitFor());
  const frame = await bench.webview("section h1");
  await frame.locator("section:not([hidden]) h1", { hasText: "critic.net.2.weight" }).waitFor();
  try {
    for (const width of WIDTHS) {
      await widen(bench, frame, width);
      await settle(async () => assertFits(await measure(frame), width));
      await bench.picture(`trace-${width}`);
    }
    await widen(bench, frame, 700);
    for (const [name, [theme, kind]] of Object.entries(THEMES)) {
      bench.server.configure({ "workbench.colorTheme": theme });
      await frame.locator(`body.${kind}`).waitFor();
      await settle(async () => {
        for (const [what, contrast] of Object.entries(await contrasts(frame))) {
          assert.ok(contrast >= READABLE, `${what} in ${name}: ${contrast.toFixed(1)}`);
        }
      });
      assert.deepEqual(await accessibilityProblems(frame), [], `for a screen reader, in ${name}`);
      await bench.picture(`trace-${name}`);
    }
    await chooseAnother(frame);
  } finally {
    bench.server.configure({ "workbench.colorTheme": THEMES.dark[0] });
    await page.setViewportSize(size);
    await bench.closeAll();
  }
}

/** Assert what holds once the page has been laid out anew. */
async function settle(check) {
  let failure;
  const holds = () =>
    check().then(
      () => true,
      (error) => void (failure = error),
    );
  await until("the page to be laid out", holds, ATTEMPT).catch(() => Promise.reject(failure));
}

/** Make the window so wide that the page has `width` pixels. */
async function widen(bench, frame, width) {
  const { page } = bench;
  const inner = () => frame.evaluate(() => window.innerWidth);
  await until(`a page of ${width} pixels`, async () => {
    const before = await inner();
    const missing = width - before;
    if (missing !== 0) {
      await page.setViewportSize({ width: page.viewportSize().width + 2 * missing, height: HEIGHT });
      await until("the page is resized", async () => (await inner()) !== before, ATTEMPT).catch(() => undefined);
    }
    return Math.abs(missing) <= 2;
  });
}

/** Where the story and its words end, and whether anything has to be scrolled sideways. */
function measure(frame) {
  return frame.evaluate(() => {
    const story = document.querySelector("section:not([hidden])");
    const words = [...story.querySelectorAll("tbody:not([hidden]) td.words")];
    return {
      sideways: document.documentElement.scrollWidth - window.innerWidth,
      right: Math.max(...words.map((word) => word.getBoundingClientRect().right)) - window.innerWidth,
      narrowest: Math.min(...words.map((word) => word.getBoundingClientRect().width)),
      bottom: story.getBoundingClientRect().bottom - window.innerHeight,
      rows: story.querySelectorAll("tbody:not([hidden]) tr").length,
    };
  });
}

function assertFits(measured, width) {
  const told = `at ${width} pixels: ${JSON.stringify(measured)}`;
  assert.ok(measured.sideways <= 0 && measured.right <= 0, `the page is wider than its panel ${told}`);
  assert.ok(measured.narrowest >= 200, `there is no room for words ${told}`);
  assert.ok(measured.bottom <= 0, `the story is longer than a screen ${told}`);
  assert.ok(measured.rows <= 16, `the story has too many rows ${told}`);
}

/** The contrast of what is read against what lies behind it. */
function contrasts(frame) {
  return frame.evaluate(() => {
    const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
    const bright = (colour) => {
      const [red, green, blue] = channels(colour).map((channel) => {
        const part = channel / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element) => {
      for (let ancestor = element; ancestor !== null; ancestor = ancestor.parentElement) {
        const colour = window.getComputedStyle(ancestor).backgroundColor;
        if ((channels(colour)[3] ?? 1) === 1) {
          return colour;
        }
      }
      return "rgb(255, 255, 255)";
    };
    const contrast = (colour, ground) => {
      const [light, dark] = [bright(colour), bright(ground)].sort((first, other) => other - first);
      return (light + 0.05) / (dark + 0.05);
    };
    const found = {};
    const wanted = ["h1", "td.words", "tr.bad td.words", "td.line a", "tr.bad code", "button.story", "summary"];
    for (const selector of wanted) {
      const element = document.querySelector(`section:not([hidden]) ${selector}`) ?? document.querySelector(selector);
      found[selector] = contrast(window.getComputedStyle(element).color, behind(element));
    }
    const sign = document.querySelector("section:not([hidden]) text.pin");
    found["the number of a pin"] = contrast(window.getComputedStyle(sign).fill, behind(sign));
    return found;
  });
}

/** Another story by the keyboard, and the whole trace by its button. */
async function chooseAnother(frame) {
  const headline = frame.locator("section:not([hidden]) h1");
  const before = await headline.innerText();
  await headline.press("s");
  await until("another story", async () => (await headline.innerText()) !== before);
  assert.equal(await frame.locator("button.story[aria-pressed=true]").count(), 1);
  await frame.locator("button.story", { hasText: /All \d+ events/ }).click();
  await frame.locator("section:not([hidden]) h1", { hasText: /All \d+ events/ }).waitFor();
  await until("the headline has the focus", () => frame.evaluate(() => document.activeElement.tagName === "H1"));
}
