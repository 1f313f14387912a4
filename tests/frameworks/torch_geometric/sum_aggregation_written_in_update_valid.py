"""Aggregating by sum keeps nothing of its result, and the messages are gathered copies: both may be written in
place."""

import torch
from torch import nn
from torch_geometric.nn import MessagePassing
from torch_geometric.utils import add_self_loops, degree


class SumConv(MessagePassing):
    def __init__(self, in_channels, out_channels):
        super().__init__(aggr="add")
        self.lin = nn.Linear(in_channels, out_channels, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_channels))

    def forward(self, x, edge_index):
        edge_index, _ = add_self_loops(edge_index, num_nodes=x.size(0))
        x = self.lin(x)
        row, col = edge_index
        deg_inv_sqrt = degree(col, x.size(0), dtype=x.dtype).pow_(-0.5)
        deg_inv_sqrt[deg_inv_sqrt == float("inf")] = 0
        norm = deg_inv_sqrt[row] * deg_inv_sqrt[col]
        return self.propagate(edge_index, x=x, norm=norm)

    def message(self, x_j, norm):
        x_j *= norm.view(-1, 1)
        return x_j

    def update(self, aggr_out):
        aggr_out += self.bias
        return aggr_out.relu_()


torch.manual_seed(0)
conv = SumConv(3, 4)
optimizer = torch.optim.Adam(conv.parameters(), lr=0.01)
edge_index = torch.tensor([[0, 1, 2, 3, 0], [1, 2, 3, 0, 2]])
x, y = torch.randn(4, 3), torch.randn(4, 4)
for _ in range(2):
    optimizer.zero_grad()
    loss = (conv(x, edge_index) - y).abs().mean()
    loss.backward()
    optimizer.step()
