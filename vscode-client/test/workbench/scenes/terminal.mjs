// A program that dies of torch's error in the terminal: the error is a link to the write.
import { GATE } from "../programs.mjs";

export const NEEDS_TORCH = true;
const WRITE = 13;
const LINK = "modified by an inplace operation";

export async function play(bench, { python }) {
  const { page } = bench;
  bench.server.configure({ "terminal.integrated.gpuAcceleration": "off" }); // its rows are text of the page then
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();
  const rows = page.locator(".terminal .xterm-rows > div");
  await bench.command("Terminal: Create New Terminal", () => rows.first().waitFor());
  await bench.retry("type the command", async () => {
    await page.locator(".terminal.xterm").first().click();
    await page.keyboard.press("Control+u");
    await page.keyboard.type(`clear; ${python} gate.py`);
    await rows.filter({ hasText: "clear;" }).first().waitFor();
  });
  await page.keyboard.press("Enter");
  await rows.filter({ hasText: "RuntimeError: one of the variables" }).first().waitFor();
  await bench.retry("follow the link", async () => {
    const { x, y } = await placeOf(LINK, rows);
    await page.mouse.move(x - 4, y, { steps: 4 });
    await page.mouse.move(x, y, { steps: 2 });
    await page.keyboard.down("Control");
    await page.mouse.click(x, y);
    await page.keyboard.up("Control");
    await bench.notification("this write explains the error").waitFor();
  });
  await bench.cursorIn(WRITE);
  await bench.picture("terminal");
  await bench.quiet();
  await bench.command("Terminal: Kill the Active Terminal Instance");
  await bench.closeAll();
}

/** Where the last letter of `words` is on the screen of a terminal, whose lines are wrapped anywhere. */
async function placeOf(words, rows) {
  const lines = (await rows.allTextContents()).map((line) => line.replaceAll("\u00a0", " ").trimEnd());
  const width = Math.max(...lines.map((line) => line.length));
  const text = lines.map((line) => line.padEnd(width)).join("");
  const at = text.lastIndexOf(words) + words.length - 1;
  return rows.nth(Math.floor(at / width)).evaluate(middleOfLetter, at % width);
}

/** Run in the page: the middle of a letter of an element by its number. */
function middleOfLetter(element, number) {
  const texts = document.createTreeWalker(element, 4); // NodeFilter.SHOW_TEXT
  let offset = number;
  while (texts.nextNode() && offset >= texts.currentNode.length) {
    offset -= texts.currentNode.length;
  }
  const range = document.createRange();
  range.setStart(texts.currentNode, offset);
  range.setEnd(texts.currentNode, offset + 1);
  const { x, y, width, height } = range.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
