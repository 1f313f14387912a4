"""The encoder layer keeps its input for the attention's first product, so a residual sum in place in that input breaks backward."""

import torch
from torch import nn

stem = nn.Linear(in_features=3, out_features=8)
layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=8, dropout=0.0)
optimizer = torch.optim.SGD(params=[*stem.parameters(), *layer.parameters()], lr=0.1)

for _ in range(2):
    tokens = stem(input=torch.randn(5, 2, 3))
    output = layer(src=tokens)
    tokens += output  # error: IP101
    optimizer.zero_grad()
    tokens.square().mean().backward()
    optimizer.step()
