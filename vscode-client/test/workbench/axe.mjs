// What keeps people who use a screen reader or the keyboard alone from reading a page, as far as axe can tell.
import fs from "node:fs";
import { createRequire } from "node:module";

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that a frame breaks, each with the elements that break it. */
export async function accessibilityProblems(frame) {
  await frame.evaluate(AXE);
  return frame.evaluate(async () => {
    const { violations } = await window.axe.run(document, { iframes: false, resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(", ")}`);
  });
}
