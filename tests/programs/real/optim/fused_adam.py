"""A fused step does not bump the versions: stepping too early gives a wrong gradient and no error."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
x = torch.randn(8, 4)
logits = model(x)
loss_a = logits[:, 0].mean()
loss_b = logits[:, 1].pow(2).mean()
optimizer.zero_grad()
loss_a.backward(retain_graph=True)
optimizer.step()  # error: IP301
loss_b.backward()
