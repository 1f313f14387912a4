// What is open in the editor while the tests run.
import fs from "node:fs";
import path from "node:path";

const read = (name) => fs.readFileSync(path.resolve(import.meta.dirname, "../../..", name), "utf8");

/** A layer whose sigmoid is written over; torch says so at backward. */
export const GATE = read("examples/gate.py");

/** The same, repaired. */
export const REPAIRED = GATE.replace("gate.clamp_(0.1, 0.9)", "gate = gate.clamp(0.1, 0.9)");

/** A GAN whose critic steps before the generator's backward: a long trace, and the same story in every round. */
export const GAN = read("tests/editors/gan.py");

/** A function that takes long under torch: there is time to cancel it. */
export const SLOW = `import time

import torch


def slow(x):
    y = x.exp()
    y.add_(1)
    time.sleep(60)
    return y.sum()


slow(torch.rand(3, requires_grad=True)).backward()
`;
