// The page that `tape` makes of a finding, as a browser shows it: small, readable at every width, with what to do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const EXAMPLE = path.resolve(import.meta.dirname, "../../../../examples/train_vae.py");
const LARGEST = 300_000; // bytes
const LOOKS = [1400, 900, 500].flatMap((width) => ["dark", "light"].map((colorScheme) => ({ width, colorScheme })));

export async function play(bench) {
  const command = ["-m", "inplace_lsp", "tape", "--output-format", "html", `${EXAMPLE}:73`];
  const html = execFileSync(process.env.PYTHON ?? "python3", command, { encoding: "utf8" });
  assert.ok(Buffer.byteLength(html) < LARGEST, `the page has ${Buffer.byteLength(html)} bytes`);
  const file = path.join(bench.server.home, "tape.html");
  fs.writeFileSync(file, html);
  for (const { width, colorScheme } of LOOKS) {
    const page = await bench.page
      .context()
      .browser()
      .newPage({ viewport: { width, height: 800 }, colorScheme });
    try {
      await page.goto(pathToFileURL(file).href);
      assert.match(await page.title(), /train_vae\.py:73/);
      await page.getByText("pixels = pixels.clamp(1e-6, 1 - 1e-6)").first().waitFor();
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(sideways <= 0, `at ${width} pixels the page is ${sideways} pixels too wide`);
      await page.screenshot({ path: path.join(bench.pictures, `page-${width}-${colorScheme}.png`) });
    } finally {
      await page.close();
    }
  }
}
