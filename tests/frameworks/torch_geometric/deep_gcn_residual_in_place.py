"""A deep GCN adds each layer's message to its own input in place, which the layer's linear map has saved."""

import torch
import torch.nn.functional as F
from torch import nn
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv, LayerNorm
from torch_geometric.utils import add_self_loops, to_undirected


class ResidualStack(nn.Module):
    def __init__(self, channels: int, depth: int, dropout: float = 0.5) -> None:
        super().__init__()
        self.convs = nn.ModuleList(GCNConv(channels, channels, cached=False) for _ in range(depth))
        self.norms = nn.ModuleList(LayerNorm(channels) for _ in range(depth))
        self.dropout = dropout

    def forward(self, x, edge_index, edge_weight=None):
        for conv, norm in zip(self.convs, self.norms):
            out = norm(conv(x, edge_index, edge_weight))
            out = F.dropout(F.relu(out), p=self.dropout, training=self.training)
            x += out  # error: IP101
        return x


class Net(nn.Module):
    def __init__(self, in_channels: int, hidden: int, out_channels: int, depth: int = 2) -> None:
        super().__init__()
        self.lin_in = nn.Linear(in_channels, hidden)
        self.stack = ResidualStack(hidden, depth)
        self.lin_out = nn.Linear(hidden, out_channels)

    def forward(self, data: Data):
        x = self.lin_in(data.x)
        x = self.stack(x, data.edge_index)
        return self.lin_out(x)


def ring(n: int) -> torch.Tensor:
    index = torch.arange(n)
    edge_index = to_undirected(torch.stack([index, index.roll(-1)]))
    return add_self_loops(edge_index, num_nodes=n)[0]


def main() -> None:
    torch.manual_seed(0)
    data = Data(x=torch.randn(6, 4), edge_index=ring(6), y=torch.randint(3, (6,)))
    data.train_mask = torch.tensor([1, 1, 1, 1, 0, 0], dtype=torch.bool)
    model = Net(4, 8, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    model.train()
    optimizer.zero_grad()
    out = model(data)
    loss = F.cross_entropy(out[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
