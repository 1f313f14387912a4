"""einsum joins dimensions to multiply matrices: where they are not adjacent in memory, it saves a copy of the operand."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.queries, self.keys, self.values = (nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        n, length, _ = x.shape
        q, k, v = (layer(x).view(n, length, 2, 4) for layer in (self.queries, self.keys, self.values))
        energy = torch.einsum("nqhd,nkhd->nhqk", [q, k])
        q *= 0.5
        weights = torch.softmax(energy, dim=-1)
        out = torch.einsum("nhql,nlhd->nqhd", [weights, v])
        v.mul_(2)
        joined = out.exp()
        flat = joined.reshape(n, length, 8)
        return flat


Attention()(torch.randn(2, 3, 8)).sum().backward()

lin = nn.Linear(4, 4)

q, k = lin(torch.randn(2, 3, 4)), lin(torch.randn(2, 5, 4))
scores = torch.einsum("bid,bjd->bij", q, k)
q *= 0.5  # error: IP101
scores.sum().backward()

q, k = lin(torch.randn(2, 2, 3, 4)), lin(torch.randn(2, 2, 5, 4))
scores = torch.einsum("bhid,bhjd->bhij", q, k)
k.neg_()  # error: IP101
scores.sum().backward()
