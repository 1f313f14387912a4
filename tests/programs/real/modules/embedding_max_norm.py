"""Two lookups in an embedding with max_norm, whose weight the first lookup's product kept."""

import torch
import torch.nn as nn

n, d, m = 3, 5, 7
embedding = nn.Embedding(n, d, max_norm=1.0)
W = torch.randn((m, d), requires_grad=True)
idx = torch.tensor([1, 2])
a = embedding.weight @ W.t()
b = embedding(idx) @ W.t()  # error: IP101
out = a.unsqueeze(0) + b.unsqueeze(1)
out.sigmoid().prod().backward()
