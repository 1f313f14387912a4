// A folder nobody has trusted yet: findings show, but nothing of the user's is run; then it is trusted.
import assert from "node:assert/strict";
import { GATE } from "../programs.mjs";

export async function play(bench) {
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor({ timeout: 60_000 });
  const { text } = await bench.status();
  assert.match(text, /not trusted: verify is off/);
  await bench.picture("restricted");

  await bench.command("Workspaces: Manage Workspace Trust");
  await bench.page
    .locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ })
    .first()
    .click();
  await bench.page.locator(".workspace-trust-editor .trusted, .workspace-trust-editor.trusted").first().waitFor();
  await bench.command("View: Close All Editors");
}
