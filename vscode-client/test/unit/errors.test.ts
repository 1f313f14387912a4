import { describe, expect, it } from "vitest";
import { errorIn } from "../../src/errors";

const SAVED = "one of the variables needed for gradient computation has been modified by an inplace operation";

describe("an error of torch's in a line", () => {
  it.each([
    `RuntimeError: ${SAVED}: [torch.FloatTensor [3]] is at version 1; expected version 0 instead.`,
    `[rank0]: RuntimeError: ${SAVED}`,
    "RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.",
    "RuntimeError: Output 0 of UnbindBackward0 is a view and is being modified inplace. This view is the output of",
    "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors",
  ])("is found: %s", (line) => {
    const place = errorIn(line);
    expect(place).toBeDefined();
    expect(line.slice(place?.start, (place?.start ?? 0) + (place?.length ?? 0))).toMatch(/\w/);
  });

  it.each(["", "RuntimeError: CUDA out of memory", "    loss.backward()"])("is not seen in: %s", (line) => {
    expect(errorIn(line)).toBeUndefined();
  });
});
