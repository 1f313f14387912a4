"""Messages are added in place to node features that the message function kept."""

import torch
import torch.nn as nn


class GraphConv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.msg = nn.Linear(2 * dim, dim)
        self.upd = nn.Linear(dim, dim)

    def forward(self, x, edge_index):
        src, dst = edge_index
        messages = torch.relu(self.msg(torch.cat([x[src], x[dst]], dim=-1)))
        h = self.upd(x)
        x.index_add_(0, dst, messages)  # error: IP101
        return h + x


class GNN(nn.Module):
    def __init__(self, in_dim, dim, layers=2):
        super().__init__()
        self.embed = nn.Linear(in_dim, dim)
        self.convs = nn.ModuleList([GraphConv(dim) for _ in range(layers)])
        self.readout = nn.Linear(dim, 1)

    def forward(self, x, edge_index):
        x = self.embed(x)
        for conv in self.convs:
            x = conv(x, edge_index)
        return self.readout(x.mean(0))


edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
GNN(3, 4)(torch.randn(4, 3), edges).sum().backward()
