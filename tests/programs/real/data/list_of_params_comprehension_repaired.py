"""After the backward."""

import torch

layers = [torch.randn(3, 3, requires_grad=True) for _ in range(2)]
x = torch.randn(2, 3, requires_grad=True)
h = x
for w in layers:
    h = torch.relu(h @ w)
loss = h.sum()
loss.backward()
with torch.no_grad():
    _ = [w.clamp_(-1, 1) for w in layers]
