"""With constant angles nothing of the queries is kept, and a write into a clone is fine."""

import torch

cos, sin = torch.rand(3), torch.rand(3)
w = torch.nn.Linear(3, 6)


def rotate(x):
    out = x.clone()
    d = x.shape[-1] // 2
    out[..., :d] = x[..., :d] * cos - x[..., d:] * sin
    out[..., d:] = x[..., d:] * cos + x[..., :d] * sin
    return out


q = w(torch.randn(2, 3))
q *= 3**-0.5
rotate(q).sum().backward()
