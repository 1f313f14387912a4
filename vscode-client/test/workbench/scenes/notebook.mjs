// The cells of a notebook are one program: the write in one cell breaks the gradient that another asks for. From the
// error below that cell a link leads to the write.
import fs from "node:fs";
import path from "node:path";

const CELLS = [
  "import torch\nx = torch.rand(3, requires_grad=True)",
  "gate = torch.sigmoid(x)",
  "gate.clamp_(0.1, 0.9)",
  "gate.sum().backward()",
];

const MESSAGE =
  "one of the variables needed for gradient computation has been modified by an inplace operation: " +
  "[torch.FloatTensor [3]], which is output 0 of SigmoidBackward0, is at version 1; expected version 0 instead.";
const ERROR = {
  output_type: "error",
  ename: "RuntimeError",
  evalue: MESSAGE,
  traceback: ["Cell In[4], line 1\n----> 1 gate.sum().backward()", `RuntimeError: ${MESSAGE}`],
};

export async function play(bench) {
  const cells = CELLS.map((source) => ({
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: source.includes("backward") ? [ERROR] : [],
    source,
  }));
  const notebook = { cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 2 };
  fs.writeFileSync(path.join(bench.folder, "study.ipynb"), JSON.stringify(notebook));
  await bench.open("study.ipynb");
  const cell = bench.page.locator(".notebookOverlay .monaco-editor", { hasText: "gate.clamp_" });
  await cell.locator(".squiggly-error").first().waitFor();
  const link = bench.page.locator(".cell-status-item", { hasText: "Find the Write" });
  await link.first().waitFor();
  await bench.picture("notebook");
  await bench.retry("find the write", async () => {
    await link.first().click();
    await bench.notification("this write explains the error").waitFor();
  });
  await bench.quiet();
  await bench.closeAll();
}
