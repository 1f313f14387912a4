"""MAML: the inner update writes the fast weights in place."""

import torch
import torch.nn.functional as F

w = torch.randn(3, 4, requires_grad=True)
b = torch.randn(4, 1, requires_grad=True)
meta_opt = torch.optim.Adam([w, b], lr=1e-2)


def forward(x, weights):
    return torch.tanh(x @ weights[0]) @ weights[1]


def adapt(x, y, lr=0.1, steps=2):
    fast = [w.clone(), b.clone()]
    for _ in range(steps):
        loss = F.mse_loss(forward(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        for p, g in zip(fast, grads):
            p -= lr * g  # error: IP101
    return fast


for task in range(2):
    x, y = torch.randn(6, 3), torch.randn(6, 1)
    fast = adapt(x, y)
    meta_loss = F.mse_loss(forward(x, fast), y)
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
