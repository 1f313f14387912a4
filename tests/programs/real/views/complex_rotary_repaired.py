import torch
from torch import nn


class ComplexRotary(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.freq = nn.Parameter(1.0 / 10 ** torch.arange(0, dim, 2).div(dim))

    def forward(self, x):
        t = torch.arange(x.shape[-2]).float()
        rot = torch.polar(torch.ones(len(t), len(self.freq)), torch.outer(t, self.freq))
        xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        xc = xc * rot
        return torch.view_as_real(xc).flatten(-2)


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.rotary = ComplexRotary(dim)

    def forward(self, x):
        q, k = torch.exp(self.q(x)), self.k(x)
        return (self.rotary(q) @ self.rotary(k).mT).softmax(-1) @ x


attn = Attention(4)
attn(torch.randn(2, 3, 4)).square().sum().backward()
