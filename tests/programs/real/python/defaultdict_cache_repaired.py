"""The normalised ones are new."""

from collections import defaultdict

import torch
from torch import nn

heads = nn.ModuleDict({"a": nn.Linear(3, 2), "b": nn.Linear(3, 2)})
outputs = defaultdict(list)
for x in torch.randn(2, 4, 3):
    for name, head in heads.items():
        outputs[name].append(head(x).softmax(-1))
entropy = sum(-(p * p.log()).sum() for group in outputs.values() for p in group)
for name in outputs:
    outputs[name] = [p.clamp(min=0.1) for p in outputs[name]]
loss = entropy + sum(torch.stack(group).mean() for group in outputs.values())
loss.backward()
