"""Aggregating by maximum keeps its result to find the winners again, and update adds the bias to that result in
place."""

import torch
from torch import nn
from torch_geometric.nn import MessagePassing


class PointConv(MessagePassing):
    def __init__(self, in_channels, out_channels):
        super().__init__(aggr="max")
        self.mlp = nn.Sequential(nn.Linear(in_channels + 2, out_channels), nn.ReLU(inplace=True))
        self.bias = nn.Parameter(torch.zeros(out_channels))

    def forward(self, x, pos, edge_index):
        return self.propagate(edge_index, x=x, pos=pos)

    def message(self, x_j, pos_i, pos_j):
        return self.mlp(torch.cat([x_j, pos_j - pos_i], dim=-1))

    def update(self, aggr_out):
        aggr_out += self.bias  # error: IP101
        return aggr_out


torch.manual_seed(0)
conv = PointConv(3, 4)
optimizer = torch.optim.Adam(conv.parameters(), lr=0.01)
edge_index = torch.tensor([[0, 1, 2, 3, 0], [1, 2, 3, 0, 2]])
x, pos, y = torch.randn(4, 3), torch.rand(4, 2), torch.randn(4, 4)
for _ in range(2):
    optimizer.zero_grad()
    loss = (conv(x, pos, edge_index) - y).abs().mean()
    loss.backward()
    optimizer.step()
