// The workbench of VS Code as a person uses it: by looking, pointing and typing.
import fs from "node:fs";
import path from "node:path";
import { until } from "../lib/codeServer.mjs";

const SIZE = { width: 1120, height: 680 };

export class Workbench {
  /** Open the workbench of `server` with a folder. Pictures go to `pictures`. */
  static async open(browser, server, folder, pictures) {
    const page = await browser.newPage({ viewport: SIZE });
    page.setDefaultTimeout(10_000);
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
    await this.page.locator(".monaco-workbench .part.editor").waitFor({ timeout: 60_000 });
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
      await row.filter({ hasText: ".." }).first().waitFor({ timeout: 5000 });
      await this.type(path.join(this.folder, name));
      await row.and(this.page.locator(".focused")).filter({ hasText: name }).first().waitFor({ timeout: 5000 });
      await this.page.keyboard.press("Enter");
      await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor({ timeout: 4000 });
    });
  }

  /** Run a command by its title: it need not be the first of those that are listed. */
  async command(title) {
    await this.retry(`run ${title}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await this.type(`>${title}`);
      const wanted = this.page.locator(".quick-input-list .monaco-list-row").filter({
        has: this.page.getByText(title, { exact: true }),
      });
      await wanted.first().waitFor({ timeout: 5000 });
      for (let steps = 0; !(await wanted.first().getAttribute("class")).includes("focused") && steps < 10; steps++) {
        await this.page.keyboard.press("ArrowDown");
      }
      await this.page.keyboard.press("Enter");
    });
  }

  /** Fill the input box at the top. */
  async type(text) {
    const box = this.page.locator(".quick-input-widget:visible input").first();
    await box.waitFor({ timeout: 5000 });
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
    const box = await until("something to point at", () => locator.boundingBox(), 5000); // it is drawn anew at times
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x - 4, y, { steps: 4 });
    await this.page.mouse.move(x, y, { steps: 2 });
    return { x, y };
  }

  /** Put the cursor into a line, near its beginning: its end may be out of sight. */
  async putCursor(text) {
    const box = await this.line(text).locator("> span").first().boundingBox();
    await this.page.mouse.click(box.x + Math.min(box.width / 2, 100), box.y + box.height / 2);
  }

  /** A notification that contains these words. */
  notification(words) {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: words }).first();
  }

  /** Press a button of a notification. */
  async press(notification, button) {
    await notification.hover();
    await notification
      .locator(".monaco-button, .monaco-text-button, .action-label", { hasText: button })
      .first()
      .click();
  }

  /** Away with all notifications, so that none is in the way. */
  async quiet() {
    await this.command("Notifications: Clear All Notifications");
    await this.page.locator(".notifications-toasts .notification-list-item").first().waitFor({ state: "hidden" });
  }

  /** What the status item of the extension says: it hides behind the braces beside the language's name. */
  async status() {
    return this.retry("read the status", async () => {
      await this.page.keyboard.press("Escape");
      await this.page.locator(".statusbar-item[id='status.languageStatus']").click({ timeout: 5000 });
      const item = this.page.locator(".hover-language-status .element", { hasText: "inplace-lsp" }).first();
      await item.waitFor({ timeout: 5000 });
      return { text: await item.innerText(), item };
    });
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

  /** Save the file that is open and wait until the disk has the text. */
  async save(name, expected) {
    await this.page.keyboard.press("Control+s");
    const file = path.join(this.folder, name);
    await until(`${name} is saved`, () => fs.readFileSync(file, "utf8") === expected, 10_000).catch(() => undefined);
    return fs.readFileSync(file, "utf8");
  }

  /** Take a picture. */
  async picture(name) {
    fs.mkdirSync(this.pictures, { recursive: true });
    await this.page.screenshot({ path: path.join(this.pictures, `${name}.png`) });
  }

  /** Do as a person does whose click was lost while the page moved: try again, a few times. */
  async retry(what, act) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await act();
      } catch (error) {
        if (error.name !== "TimeoutError" || attempt === 4) {
          throw new Error(`${what}: ${error.message}`, { cause: error });
        }
      }
    }
  }
}
