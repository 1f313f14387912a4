// The workbench of VS Code as a person uses it: by looking, pointing and typing.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pause, until } from "../lib/codeServer.mjs";
import { ATTEMPT, PATIENCE } from "../lib/patience.mjs";

const TOASTS = ".notifications-toasts .notification-list-item";
const CENTER = ".notifications-center.visible .notification-list-item";
const SIZE = { width: 1120, height: 680 };
const HEIGHT = 800;
const WIDTHS = [1400, 900];
const THEMES = {
  dark: { theme: "Default Dark Modern", kind: "vs-dark" },
  light: { theme: "Default Light Modern", kind: "vs" },
};

export class Workbench {
  /** Open the workbench of `server` with a folder. Pictures go to `pictures`. */
  static async open(browser, server, folder, pictures) {
    const page = await browser.newPage({ viewport: SIZE });
    page.setDefaultTimeout(PATIENCE);
    const bench = new Workbench(page, server, folder, pictures);
    await bench.load();
    return bench;
  }

  constructor(page, server, folder, pictures) {
    Object.assign(this, { page, server, folder, pictures });
  }

  /** Load the page, with a file open if one is named. */
  async load(file) {
    const payload = file === undefined ? [] : [["openFile", this.server.uri(path.join(this.folder, file))]];
    await this.page.goto(this.server.url(this.folder, payload));
    await this.page.locator(".monaco-workbench .part.editor").waitFor();
  }

  /** Write a file and open it. */
  async edit(name, text) {
    fs.writeFileSync(path.join(this.folder, name), text);
    await this.open(name);
  }

  /** Open a file by typing its path: what is typed before the dialog has listed the folder is overwritten by it. */
  async open(name) {
    const row = this.page.locator(".quick-input-widget:visible .monaco-list-row");
    await this.retry(`open ${name}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+o");
      await row.filter({ hasText: ".." }).first().waitFor();
      await this.type(path.join(this.folder, name));
      await row.and(this.page.locator(".focused")).filter({ hasText: name }).first().waitFor();
      await this.page.keyboard.press("Enter");
      await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    });
  }

  /** Run a command by its title until `seen` has found what it does: keys can be lost while the list is drawn anew. */
  async command(title, seen = async () => undefined) {
    await this.retry(`run ${title}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await this.type(`>${title}`);
      const wanted = this.page
        .locator(".quick-input-list .monaco-list-row")
        .filter({ has: this.page.getByText(title, { exact: true }) })
        .first();
      await until(`${title} has the focus`, async () => (await hasFocus(wanted)) || this.#next(), ATTEMPT);
      await this.page.keyboard.press("Enter");
      await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
      await seen();
    });
  }

  /** Put the caret on a line. The command for it keeps its input box open, so this is none for `command`. */
  async goToLine(number) {
    await this.retry(`go to line ${number}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+g");
      await this.type(`:${number}`);
      await this.page.keyboard.press("Enter");
      await this.page
        .locator(".statusbar-item", { hasText: new RegExp(`Ln ${number}, `) })
        .waitFor({ timeout: ATTEMPT });
    });
  }

  /** Go one row down in the list at the top; it is drawn a moment later. */
  async #next() {
    await this.page.keyboard.press("ArrowDown");
    return false;
  }

  /** Fill the input box at the top. */
  async type(text) {
    const box = this.page.locator(".quick-input-widget:visible input").first();
    await box.waitFor();
    await box.fill(text);
  }

  /** A line of the editor by a piece of its text. */
  line(text) {
    return this.page.locator(".monaco-editor .view-line", { hasText: text }).first();
  }

  /** The wavy line under a finding. */
  squiggle(severity = "error") {
    return this.page.locator(`.monaco-editor .squiggly-${severity}`).first();
  }

  /** Point at the middle of something, as a hand does: on the way, not at once. */
  async point(locator) {
    const box = await until("something to point at", () => locator.boundingBox(), ATTEMPT); // it is drawn anew at times
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x - 4, y, { steps: 4 });
    await this.page.mouse.move(x, y, { steps: 2 });
    return { x, y };
  }

  /** Put the cursor into a line, near its beginning: its end may be out of sight. A lens above can move it meanwhile. */
  async putCursor(text) {
    const active = this.page.locator(".monaco-editor .line-numbers.active-line-number").first();
    await this.retry(`put the cursor into ${text}`, async () => {
      const words = this.line(text).locator("> span").first();
      const box = await this.#atRest(words);
      await this.page.mouse.click(box.x + Math.min(box.width / 2, 100), box.y + box.height / 2);
      const isThere = async () => {
        const [number, line] = await Promise.all([active.boundingBox(), this.line(text).boundingBox()]);
        return number && line && Math.abs(number.y - line.y) < 2;
      };
      await until("the cursor is there", isThere, ATTEMPT);
    });
  }

  /** The place of something once it has stopped moving: a lens that comes late pushes lines down. */
  async #atRest(locator) {
    let before;
    return until(
      "something at rest",
      async () => {
        const box = await locator.boundingBox();
        const rests = box !== null && box.x === before?.x && box.y === before.y;
        before = box ?? undefined;
        await pause(300);
        return rests && box;
      },
      ATTEMPT,
    );
  }

  /** Wait until a line of the editor has the cursor. */
  async cursorIn(row) {
    const active = this.page.locator(".monaco-editor .line-numbers.active-line-number");
    await active
      .filter({ hasText: new RegExp(`^\\s*${row}\\s*$`) })
      .first()
      .waitFor();
  }

  /** Press the lens that says `words` until `seen` has found what it does: lenses are drawn anew. */
  async pressLens(words, seen) {
    await this.retry(`press the lens ${words}`, async () => {
      await this.page.locator(".codelens-decoration a", { hasText: words }).first().click();
      await seen();
    });
  }

  /** A notification that contains these words, among those that pop up or in the list of all. */
  notification(words) {
    return this.page.locator(`${TOASTS}, ${CENTER}`, { hasText: words }).first();
  }

  /** Press a button of the notification with these words. One that has gone meanwhile stands in the list of all. */
  async press(words, button) {
    const wanted = this.notification(words);
    await this.retry(`press ${button}`, async () => {
      if (!(await wanted.isVisible())) {
        await this.page.locator(".statusbar-item[id='status.notifications']").click();
      }
      await wanted.hover();
      await wanted
        .locator("a, .monaco-button, .monaco-text-button, .action-label", { hasText: button })
        .first()
        .click();
    });
  }

  /** Away with all notifications, so that none is in the way. */
  async quiet() {
    const none = () => until("no notification", async () => (await this.page.locator(TOASTS).count()) === 0, ATTEMPT);
    await this.command("Notifications: Clear All Notifications", none);
  }

  /** Close all editors, and the panel below them: the next scene needs the room. */
  async closeAll() {
    const panel = this.page.locator(".part.panel").first();
    await this.retry("close the panel", async () => {
      if (await panel.isVisible()) {
        await panel.locator(".codicon-panel-close, .codicon-close").first().click();
        await panel.waitFor({ state: "hidden" });
      }
    });
    const tabs = this.page.locator(".part.editor .tab");
    await this.command("View: Close All Editors", () =>
      until("no editor is open", async () => (await tabs.count()) === 0, ATTEMPT),
    );
  }

  /**
   * Wait until a status item of the extension says all of `patterns`, and none of it is cut off: they hide behind the
   * braces beside the language.
   */
  async status(...patterns) {
    const item = this.page.locator(".hover-language-status .element", { hasText: "inplace-lsp" });
    const wanted = patterns.reduce((found, hasText) => found.filter({ hasText }), item).first();
    await this.retry(`the status says ${patterns.join(", ")}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.locator(".statusbar-item[id='status.languageStatus']").click();
      await wanted.waitFor();
    });
    const hidden = await wanted.evaluate((element) => {
      let end = window.innerWidth;
      for (let part = element.parentElement; part !== null; part = part.parentElement) {
        if (window.getComputedStyle(part).overflowX !== "visible") {
          end = Math.min(end, part.getBoundingClientRect().right);
        }
      }
      const parts = [...element.querySelectorAll("*")].map((part) => part.getBoundingClientRect().right);
      return Math.max(...parts) - end;
    });
    assert.ok(hidden <= 1, `${hidden} pixels of the status ${patterns.join(", ")} are cut off`);
  }

  /** The frame inside a webview that has an element. */
  async webview(selector) {
    return until(`a webview with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if (
          (await frame
            .locator(selector)
            .count()
            .catch(() => 0)) > 0
        ) {
          return frame;
        }
      }
      return undefined;
    });
  }

  /** Save the file that is open, and return what the disk has once it is `expected`, or after some time. */
  async save(name, expected) {
    const read = () => fs.readFileSync(path.join(this.folder, name), "utf8");
    const isSaved = async () => {
      await this.page.keyboard.press("Control+s");
      await pause(500);
      return read() === expected;
    };
    await until(`${name} is saved`, isSaved, ATTEMPT).catch(() => undefined);
    return read();
  }

  /** Take a picture. */
  async picture(name) {
    fs.mkdirSync(this.pictures, { recursive: true });
    await this.page.screenshot({ path: path.join(this.pictures, `${name}.png`) });
  }

  /** Look at something in a wide and in a narrow window, in a dark and in a light theme; `look` is told which. */
  async inEveryLook(look) {
    const { page } = this;
    try {
      for (const [name, { theme, kind }] of Object.entries(THEMES)) {
        this.server.configure({ "workbench.colorTheme": theme });
        await page.locator(`.monaco-workbench.${kind}`).waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          await look(`${width}-${name}`);
        }
      }
    } finally {
      this.server.configure({ "workbench.colorTheme": THEMES.dark.theme });
      await page.locator(`.monaco-workbench.${THEMES.dark.kind}`).waitFor();
      await page.setViewportSize(SIZE);
    }
  }

  /** Do as a person does whose click was lost while the page moved: try again. */
  async retry(what, act) {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      this.page.setDefaultTimeout(ATTEMPT);
      try {
        return await act();
      } catch (error) {
        if (error.name !== "TimeoutError" || Date.now() > deadline) {
          throw new Error(`${what}: ${error.message}`, { cause: error });
        }
      } finally {
        this.page.setDefaultTimeout(PATIENCE);
      }
    }
  }
}

async function hasFocus(row) {
  return (await row.getAttribute("class")).includes("focused");
}
