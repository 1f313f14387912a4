"""A GAT's edge softmax, exponentials normalised in place by their sum."""

import torch
import torch.nn.functional as F
from torch import nn


class GATConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = nn.Linear(n_in, n_out, bias=False)
        self.a_src = nn.Parameter(torch.randn(n_out) * 0.1)
        self.a_dst = nn.Parameter(torch.randn(n_out) * 0.1)

    def forward(self, x, edge_index):
        src, dst = edge_index[0], edge_index[1]
        h = self.w(x)
        e = F.leaky_relu((h * self.a_src).sum(-1)[src] + (h * self.a_dst).sum(-1)[dst], 0.2)
        e -= e.max().detach()
        num = e.exp()
        den = torch.zeros(x.shape[0]).index_add(0, dst, num)
        num /= den[dst] + 1e-16  # error: IP101
        out = torch.zeros_like(h)
        return out.index_add_(0, dst, num.unsqueeze(-1) * h[src])


net = GATConv(4, 5)
edges = torch.randint(0, 6, (2, 14))
net(torch.randn(6, 4), edges).square().mean().backward()
