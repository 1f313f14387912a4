import torch
from torch import nn


def unsorted_segment_sum(data, segment_ids, num_segments):
    result = data.new_full((num_segments, data.size(1)), 0)
    index = segment_ids.unsqueeze(-1).expand(-1, data.size(1))
    result.scatter_add_(0, index, data)
    return result


class EGCL(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.edge_mlp = nn.Sequential(nn.Linear(2 * dim + 1, dim), nn.SiLU(), nn.Linear(dim, dim), nn.SiLU())
        self.node_mlp = nn.Sequential(nn.Linear(2 * dim, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.coord_mlp = nn.Linear(dim, 1, bias=False)

    def forward(self, h, edge_index, coord):
        row, col = edge_index
        diff = coord[row] - coord[col]
        radial = diff.pow(2).sum(1, keepdim=True)
        edge = self.edge_mlp(torch.cat([h[row], h[col], radial], dim=1))
        trans = diff * self.coord_mlp(edge)
        coord += unsorted_segment_sum(trans, row, coord.size(0))
        agg = unsorted_segment_sum(edge, row, h.size(0))
        return h + self.node_mlp(torch.cat([h, agg], dim=1)), coord


class EGNN(nn.Module):
    def __init__(self, dim=4, layers=2):
        super().__init__()
        for i in range(layers):
            self.add_module("gcl_%d" % i, EGCL(dim))
        self.layers = layers

    def forward(self, h, x, edges):
        for i in range(self.layers):
            h, x = self._modules["gcl_%d" % i](h, edges, x)
        return h, x


edges = [torch.tensor([0, 1, 2]), torch.tensor([1, 2, 0])]
net = EGNN()
x = torch.randn(3, 3)
h, x = net(torch.randn(3, 4), x * torch.ones(1, requires_grad=True).exp(), edges)
(h.sum() + x.pow(2).sum()).backward()
