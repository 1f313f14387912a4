// A folder nobody has trusted yet: findings show, but nothing of the user's is run; then it is trusted.
import assert from "node:assert/strict";
import { GATE } from "../programs.mjs";

export async function play(bench) {
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();
  const status = () => bench.status(/restricted mode: verify is off/, /Manage Trust/);
  await status();
  assert.equal(await bench.page.locator(".codelens-decoration a", { hasText: "Verify" }).count(), 0);
  await bench.picture("restricted");
  await bench.inEveryLook(async (look) => {
    await status();
    await bench.picture(`restricted-${look}`);
  });

  const restricted = bench.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).first();
  const trust = bench.page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first();
  await restricted.waitFor();
  await bench.command("Workspaces: Manage Workspace Trust", async () => {
    if (await restricted.isVisible()) {
      await trust.click();
    }
    await restricted.waitFor({ state: "hidden" });
  });
  await bench.closeAll();
}
