// From the lens above a function to the trace of what autograd saw; from its events to their lines, and back.
import assert from "node:assert/strict";
import { until } from "../../lib/codeServer.mjs";
import { ATTEMPT } from "../../lib/patience.mjs";
import { GATE } from "../programs.mjs";

export const NEEDS_TORCH = true;
const ROOM = 130; // pixels for words, also where the trace has half of a narrow window

export async function play(bench) {
  const { page } = bench;
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();
  const verdict = page.locator(".statusbar-item", { hasText: "confirmed" });
  await bench.pressLens("Verify", () => bench.notification("Verifying").or(verdict).first().waitFor());
  await verdict.first().waitFor();
  await page.locator(".codelens-decoration a", { hasText: "last run: confirmed" }).first().waitFor();

  const frame = await bench.webview("tr.bad[data-row]");
  await frame.locator("section:not([hidden]) h1", { hasText: "gate" }).waitFor();
  await bench.quiet();
  assert.equal(await bench.notification("confirmed").count(), 0, "a message stands in front of the trace");
  await bench.picture("trace");
  await bench.inEveryLook(async (look) => {
    await until("there is room for words", async () => isReadable(await measure(frame)), ATTEMPT);
    assert.equal(await bench.notification("confirmed").count(), 0, "a message stands in front of the trace");
    await bench.picture(`observed-${look}`);
  });

  await frame.locator('tr.bad[data-row="13"]').first().click();
  await bench.cursorIn(13);
  const event = frame.locator('tr.bad[data-row="12"]').first();
  await event.click();
  await bench.cursorIn(12);
  assert.equal(await frame.locator("tr.chosen").getAttribute("id"), await event.getAttribute("id"));

  await bench.putCursor("gate.clamp_");
  await until("the events of the line are lit", async () => {
    const lit = await frame.locator("tr.same").evaluateAll((rows) => rows.map((row) => row.dataset.row));
    return lit.length > 0 && lit.every((row) => row === "13");
  });
  await assertPolicy(frame);
  await bench.picture("trace-highlight");
  await bench.closeAll();
}

function isReadable({ narrowest, sideways }) {
  return narrowest >= ROOM && sideways <= 0;
}

/** How wide the narrowest cell with words is, and how far the story has to be scrolled sideways, in pixels. */
function measure(frame) {
  return frame.locator("section:not([hidden]) .scroll").evaluate((story) => {
    const words = [...story.querySelectorAll("tbody:not([hidden]) td.words")];
    return {
      narrowest: Math.min(...words.map((cell) => cell.getBoundingClientRect().width)),
      sideways: story.scrollWidth - story.clientWidth,
    };
  });
}

/** The page may run its own script only, and load nothing. */
async function assertPolicy(frame) {
  const refused = await frame.evaluate(async () => {
    const seen = [];
    document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "window.broken = true";
    document.body.append(script);
    await fetch("https://example.invalid/").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { seen, broken: window.broken === true };
  });
  assert.equal(refused.broken, false);
  assert.deepEqual(new Set(refused.seen), new Set(["script-src-elem", "connect-src"]));
}
