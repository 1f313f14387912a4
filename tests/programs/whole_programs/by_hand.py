"""Updates by hand."""

import torch
import torch.nn.functional as F

w1 = torch.randn(4, 8, requires_grad=True)
b1 = torch.zeros(8, requires_grad=True)
w2 = torch.randn(8, 1, requires_grad=True)
lr = 0.1
for epoch in range(3):
    x = torch.randn(16, 4)
    h = F.relu(x @ w1 + b1)
    out = h @ w2
    loss = (out**2).mean()
    loss.backward()
    with torch.no_grad():
        for p in (w1, b1, w2):
            p -= lr * p.grad
            p.grad.zero_()

for epoch in range(2):
    loss = ((torch.randn(16, 4) @ w1).relu() @ w2).mean()
    loss.backward()
    w1 = w1 - lr * w1.grad
    w1.retain_grad()
    break

w3 = torch.randn(3, requires_grad=True)
(w3**2).sum().backward()
w3 -= lr * w3.grad  # error: IP201
