"""The message is a gathered copy, but its sigmoid gate keeps its own result, which the next line of message
masks in place."""

import torch
from torch import nn
from torch_geometric.data import Batch, Data
from torch_geometric.nn import MessagePassing, global_add_pool


class GatedConv(MessagePassing):
    def __init__(self, channels):
        super().__init__(aggr="mean")
        self.gate = nn.Linear(2 * channels, channels)

    def forward(self, x, edge_index, edge_mask):
        return x + self.propagate(edge_index, x=x, edge_mask=edge_mask)

    def message(self, x_i, x_j, edge_mask):
        gate = self.gate(torch.cat([x_i, x_j], dim=-1)).sigmoid()
        gate[~edge_mask] = 0.0  # error: IP101
        return gate * x_j


def graph(nodes):
    source = torch.arange(nodes)
    return Data(x=torch.randn(nodes, 3), edge_index=torch.stack([source, source.roll(1)]), y=torch.rand(1))


torch.manual_seed(0)
batch = Batch.from_data_list([graph(3), graph(4)])
conv, head = GatedConv(3), nn.Linear(3, 1)
optimizer = torch.optim.Adam([*conv.parameters(), *head.parameters()])
mask = torch.rand(batch.num_edges) > 0.3
out = head(global_add_pool(conv(batch.x, batch.edge_index, mask), batch.batch)).squeeze(-1)
loss = nn.functional.mse_loss(out, batch.y)
loss.backward()
optimizer.step()
