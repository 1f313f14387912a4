// The main way: a squiggle, the hover that explains it, the quick fix, and the bytes that are saved.
import assert from "node:assert/strict";
import { GATE, REPAIRED } from "../programs.mjs";

const REPAIR = "gate = gate.clamp(0.1, 0.9)";

export async function play(bench) {
  const { page } = bench;
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();
  await page.locator(".codelens-decoration", { hasText: "Verify" }).first().waitFor();
  await bench.picture("squiggle");

  await hover(bench, "hover");
  await bench.inEveryLook((look) => hover(bench, `hover-${look}`));

  await repair(bench);
  await bench.squiggle().waitFor({ state: "detached" });
  assert.equal(await bench.save("gate.py", REPAIRED), REPAIRED);
  await bench.picture("repaired");
}

/** Point at the finding, and take a picture of the hover. */
async function hover(bench, picture) {
  const { page } = bench;
  const shown = page.locator(".monaco-hover:visible", { hasText: "saved-tensor-modified" }).first();
  await bench.retry("hover", async () => {
    await page.mouse.move(10, 10);
    await bench.point(bench.squiggle());
    await shown.filter({ hasText: /sigmoid/ }).waitFor();
    await shown.locator("a, .action-container", { hasText: "Quick Fix" }).first().waitFor();
    await shown.evaluate((hover) =>
      Promise.all(hover.getAnimations({ subtree: true }).map(({ finished }) => finished)),
    );
    await bench.picture(picture);
    await shown.waitFor(); // it was still there when the picture was taken
  });
}

/** Ctrl+. as soon as the light bulb is there, and Enter once the repair has the focus. */
async function repair(bench) {
  const { page } = bench;
  await bench.retry("quick fix", async () => {
    if (await bench.line(REPAIR).isVisible()) {
      return; // it came after the patience of the last attempt had ended
    }
    await page.keyboard.press("Escape");
    const { x, y } = await bench.point(bench.squiggle());
    await page.mouse.click(x, y);
    await page.locator('.monaco-editor [class*="lightbulb"]:visible, .lightBulbWidget:visible').first().waitFor();
    await page.keyboard.press("Control+.");
    const first = page.locator(".action-widget .monaco-list-row.focused").first();
    await first.waitFor();
    await bench.picture("quickfix");
    await page.keyboard.press("Enter");
    await bench.line(REPAIR).waitFor();
  });
}
