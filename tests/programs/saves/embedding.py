"""An embedding keeps its indices; with max_norm it writes its weight."""

import torch
from torch import nn

table = nn.Embedding(5, 3)
words = torch.tensor([1, 2, 4])
out = table(words)
words.zero_()  # error: IP101
out.sum().backward()

table = nn.Embedding(5, 3)
out = table(torch.tensor([0, 1]))
with torch.no_grad():
    table.weight.mul_(0.5)
out.sum().backward()

table = nn.Embedding(5, 3, max_norm=1.0)
mixed = table.weight @ torch.rand(3, 2, requires_grad=True)
out = table(torch.tensor([0, 1]))  # error: IP101
(mixed.sum() + out.sum()).backward()
