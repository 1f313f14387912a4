"""Outputs are gathered in a defaultdict and normalised in place while a loss needs them."""

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
    for p in outputs[name]:
        p.clamp_(min=0.1)  # error: IP101
loss = entropy + sum(torch.stack(group).mean() for group in outputs.values())
loss.backward()
