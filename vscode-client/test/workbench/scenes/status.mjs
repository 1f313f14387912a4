// The status item beside the language's name: what runs, in which versions.
import assert from "node:assert/strict";

export async function play(bench, { torch }) {
  const { text } = await bench.status();
  assert.match(text, /inplace-lsp \d+\.\d+\.\d+/);
  assert.match(text, torch ? /Python 3\.\d+\.\d+, torch \d/ : /Python 3\.\d+\.\d+, no torch/);
  assert.match(text, /Restart/);
  await bench.picture("status");
  await bench.page.keyboard.press("Escape");
}
