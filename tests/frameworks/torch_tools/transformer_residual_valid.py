"""The layer's output is new, so the residual sum may be formed in place in it while the layer keeps its input."""

import torch
from torch import nn

stem = nn.Linear(in_features=3, out_features=8)
layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=8, dropout=0.0)
optimizer = torch.optim.SGD(params=[*stem.parameters(), *layer.parameters()], lr=0.1)

for _ in range(2):
    tokens = stem(input=torch.randn(5, 2, 3))
    output = layer(src=tokens)
    output += tokens
    optimizer.zero_grad()
    output.square().mean().backward()
    optimizer.step()
