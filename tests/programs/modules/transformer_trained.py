"""A transformer is trained; a step between two walks writes the weights that the second needs."""

import torch
from torch import nn

model = nn.Transformer(
    d_model=8, nhead=2, num_encoder_layers=2, num_decoder_layers=2, dim_feedforward=16, batch_first=True
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
src, tgt = torch.randn(2, 4, 8), torch.randn(2, 3, 8)
for _ in range(2):
    out = model(src, tgt)
    loss = out.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    tgt += 0.1
first = model(src, tgt).sum()
second = model(src, tgt).sum()
first.backward()
optimizer.step()  # error: IP102
second.backward()
