"""The messages come from raw features without a gradient, so the product with the learned edge weights keeps
only the features."""

import torch
from torch import nn
from torch_geometric.nn import GraphConv
from torch_geometric.utils import scatter


class LearnedEdges(nn.Module):
    def __init__(self, num_edges):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(num_edges))
        self.conv = GraphConv(3, 2)

    def forward(self, x, edge_index):
        weight = 2.0 * self.logits.sigmoid()
        out = self.conv(x, edge_index, weight)
        weight.clamp_(max=0.9)
        load = scatter(weight, edge_index[1], dim=0, dim_size=x.size(0), reduce="sum")
        return out, load


torch.manual_seed(0)
edge_index = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
model = LearnedEdges(edge_index.size(1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(4, 3), torch.randn(4, 2)
out, load = model(x, edge_index)
loss = nn.functional.mse_loss(out, y) + 0.01 * load.square().mean()
loss.backward()
optimizer.step()
