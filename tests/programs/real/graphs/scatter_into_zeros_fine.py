"""Messages are scattered into fresh zeros, degrees are clamped in place, attention is normalised by division."""

import torch
import torch.nn as nn


class GATLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim, bias=False)
        self.att = nn.Parameter(torch.randn(2 * dim))

    def forward(self, x, edge_index):
        h = self.lin(x)
        src, dst = edge_index[0], edge_index[1]
        e = (torch.cat([h[src], h[dst]], dim=1) * self.att).sum(1)
        e = nn.functional.leaky_relu(e, 0.2)
        e = (e - e.max()).exp()
        norm = torch.zeros(x.size(0)).scatter_add_(0, dst, e)
        alpha = e / norm[dst].clamp_(min=1e-9)
        out = torch.zeros_like(h)
        out.index_add_(0, dst, alpha.unsqueeze(1) * h[src])
        deg = torch.zeros(x.size(0))
        deg.scatter_add_(0, dst, torch.ones(dst.numel()))
        deg.clamp_(min=1)
        return out / deg.unsqueeze(1)


edge_index = torch.tensor([[0, 1, 2], [1, 2, 0]])
GATLayer(4)(torch.randn(3, 4), edge_index).pow(2).sum().backward()
