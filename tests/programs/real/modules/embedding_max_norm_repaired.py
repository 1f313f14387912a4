"""The weight is cloned for the product."""

import torch
import torch.nn as nn

n, d, m = 3, 5, 7
embedding = nn.Embedding(n, d, max_norm=1.0)
W = torch.randn((m, d), requires_grad=True)
idx = torch.tensor([1, 2])
a = embedding.weight.clone() @ W.t()
b = embedding(idx) @ W.t()
out = a.unsqueeze(0) + b.unsqueeze(1)
out.sigmoid().prod().backward()
