"""The message function gates features by learned edge weights and then rescales the gate in place, which the product kept."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing, global_add_pool
from torch_geometric.typing import Adj
from torch_geometric.utils import degree


class GatedConv(MessagePassing):
    def __init__(self, in_channels: int, out_channels: int, edge_dim: int) -> None:
        super().__init__(aggr="add")
        self.lin = nn.Linear(in_channels, out_channels)
        self.gate = nn.Sequential(nn.Linear(edge_dim, out_channels), nn.Hardsigmoid())

    def forward(self, x: Tensor, edge_index: Adj, edge_attr: Tensor) -> Tensor:
        deg = degree(edge_index[1], x.size(0)).clamp_(min=1)
        norm = deg.pow(-0.5)[edge_index].prod(dim=0)
        return self.propagate(edge_index, x=self.lin(x), edge_attr=edge_attr, norm=norm)

    def message(self, x_j: Tensor, edge_attr: Tensor, norm: Tensor) -> Tensor:
        gate = self.gate(edge_attr)
        gated = gate * x_j
        gate *= norm.view(-1, 1)  # error: IP101
        return gated + gate

    def update(self, aggr_out: Tensor) -> Tensor:
        return F.leaky_relu_(aggr_out, 0.1)


class GraphRegressor(nn.Module):
    def __init__(self, node_dim: int, edge_dim: int, hidden: int = 8) -> None:
        super().__init__()
        dims = [node_dim, hidden, hidden]
        self.convs = nn.ModuleList([GatedConv(a, b, edge_dim) for a, b in zip(dims, dims[1:])])
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x, edge_index, edge_attr, batch):
        for conv in self.convs:
            x = conv(x, edge_index, edge_attr)
        return self.readout(global_add_pool(x, batch)).squeeze(-1)


def main() -> None:
    torch.manual_seed(0)
    edge_index = torch.tensor([[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3]])
    batch = torch.tensor([0, 0, 0, 1, 1, 1])
    model = GraphRegressor(node_dim=3, edge_dim=2)
    prediction = model(torch.randn(6, 3), edge_index, torch.randn(6, 2), batch)
    loss = F.huber_loss(prediction, torch.tensor([0.5, -1.0]))
    loss.backward()


if __name__ == "__main__":
    main()
