// Draw media/icon.png, which VS Code wants, from media/icon.svg, by Chromium.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium } from "../test/lib/chromium.mjs";

const media = path.resolve(import.meta.dirname, "../media");
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.goto(pathToFileURL(path.join(media, "icon.svg")).href);
await page.screenshot({ path: path.join(media, "icon.png"), omitBackground: true });
await browser.close();
