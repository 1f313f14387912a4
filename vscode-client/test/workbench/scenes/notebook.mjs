// The cells of a notebook are one program: the write in one cell breaks the gradient that another asks for.
import fs from "node:fs";
import path from "node:path";

const CELLS = [
  "import torch\nx = torch.rand(3, requires_grad=True)",
  "gate = torch.sigmoid(x)",
  "gate.clamp_(0.1, 0.9)",
  "gate.sum().backward()",
];

export async function play(bench) {
  const cells = CELLS.map((source) => ({
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  }));
  const notebook = { cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 2 };
  fs.writeFileSync(path.join(bench.folder, "study.ipynb"), JSON.stringify(notebook));
  await bench.open("study.ipynb");
  const cell = bench.page.locator(".notebookOverlay .monaco-editor", { hasText: "gate.clamp_" });
  await cell.locator(".squiggly-error").first().waitFor({ timeout: 30_000 });
  await bench.picture("notebook");
  await bench.command("View: Close All Editors");
}
