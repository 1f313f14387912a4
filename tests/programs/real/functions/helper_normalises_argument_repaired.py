"""The helper returns a new tensor."""

import torch


def normalize(v, eps=1e-12):
    return v / (v.sum(dim=-1, keepdim=True) + eps)


def attention(q, k, v):
    weights = torch.exp(q @ k.T)
    return normalize(weights) @ v


normalize(torch.rand(3, 3))
q, k, v = (torch.randn(3, 4, requires_grad=True) for _ in range(3))
attention(q, k, v).sum().backward()
