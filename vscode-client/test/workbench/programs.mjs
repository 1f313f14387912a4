// What is open in the editor while the tests run.

/** A layer whose sigmoid is written over; torch says so at backward. */
export const GATE = `import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.gate = nn.Linear(size, size)
        self.value = nn.Linear(size, size)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate.clamp_(0.1, 0.9)
        return gate * self.value(x)


model = Gate(8)
loss = model(torch.rand(4, 8)).sum()
loss.backward()
`;

/** The same, repaired. */
export const REPAIRED = GATE.replace("gate.clamp_(0.1, 0.9)", "gate = gate.clamp(0.1, 0.9)");

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
