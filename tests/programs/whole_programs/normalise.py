"""Normalising in place by a norm, and by a detached deviation."""

import torch


def normalize(x, eps=1e-8):
    n = x.norm(dim=-1, keepdim=True)
    x /= n + eps  # error: IP101
    return x


def safe(x):
    x = x - x.mean()
    x /= x.std().detach()
    return x


w = torch.randn(4, 3, requires_grad=True)
a = normalize(w * 2)
a.sum().backward()
b = safe(w * 1)
b.sum().backward()
