// The Chromium of this machine, driven by playwright.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ARGS = [
  "--no-sandbox", // root has none
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The path of Chromium or Chrome: $CHROMIUM, or the first that is found; undefined if there is none. */
export function findChromium() {
  if (process.env.CHROMIUM) {
    return process.env.CHROMIUM;
  }
  for (const name of NAMES) {
    try {
      return execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // try the next
    }
  }
  return undefined;
}

/** A browser without a window. */
export async function launchChromium() {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: ARGS });
}
