"""Layers are built from rows of text by eval, and the in-place ReLU follows a linear layer, which does not keep
its result."""

import torch
from torch import nn

CFG = [
    ["nn.Linear", [4, 8]],
    ["nn.ReLU", [True]],
    ["nn.Linear", [8, 8]],
    ["nn.Sigmoid", []],
    ["nn.Linear", [8, 2]],
]


def parse_model(rows):
    layers = []
    for module, args in rows:
        m = eval(module) if isinstance(module, str) else module
        layers.append(m(*args))
    return nn.Sequential(*layers)


class Model(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.model = parse_model(cfg)

    def forward(self, x):
        for m in self.model:
            x = m(x)
        return x


torch.manual_seed(0)
model = Model(CFG)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, nesterov=True, momentum=0.9)
for _ in range(2):
    loss = nn.functional.mse_loss(model(torch.randn(3, 4)), torch.randn(3, 2))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
