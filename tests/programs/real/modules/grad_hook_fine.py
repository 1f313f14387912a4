"""Hooks on gradients clamp them in place, or return clamped copies."""

import torch
import torch.nn as nn

model = nn.LSTM(3, 4)
for p in model.parameters():
    p.register_hook(lambda grad: torch.clamp(grad, -1, 1))
emb = nn.Embedding(10, 3)


def zero_padding(grad):
    grad = grad.clone()
    grad[0] = 0
    return grad


emb.weight.register_hook(zero_padding)
out, _ = model(emb(torch.randint(0, 10, (5, 2))))
out.sum().backward()
for p in model.parameters():
    p.grad.data.clamp_(-0.5, 0.5)
