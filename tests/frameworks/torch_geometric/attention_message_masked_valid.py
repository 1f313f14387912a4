"""The library's softmax ends in a division that does not keep its result, so the coefficients may be masked in place."""

from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing
from torch_geometric.nn.inits import glorot, zeros
from torch_geometric.utils import softmax


class DropEdgeGAT(MessagePassing):
    def __init__(self, in_channels: int, out_channels: int, heads: int = 2, drop: float = 0.3) -> None:
        super().__init__(aggr="add", node_dim=0)
        self.heads, self.out_channels, self.drop = heads, out_channels, drop
        self.lin = nn.Linear(in_channels, heads * out_channels, bias=False)
        self.att = nn.Parameter(torch.empty(1, heads, 2 * out_channels))
        self.bias = nn.Parameter(torch.empty(heads * out_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        self.lin.reset_parameters()
        glorot(self.att)
        zeros(self.bias)

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        h = self.lin(x).view(-1, self.heads, self.out_channels)
        out = self.propagate(edge_index, x=h).flatten(1)
        out += self.bias
        return out

    def message(self, x_i: Tensor, x_j: Tensor, index: Tensor, size_i: Optional[int]) -> Tensor:
        alpha = (torch.cat([x_i, x_j], dim=-1) * self.att).sum(dim=-1)
        alpha = F.leaky_relu_(alpha, 0.2)
        alpha = softmax(alpha, index, num_nodes=size_i)
        if self.training and self.drop:
            alpha[torch.rand(alpha.size(0)) < self.drop] = 0.0
        return x_j * alpha.unsqueeze(-1)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = DropEdgeGAT(4, 3), DropEdgeGAT(6, 2, heads=1)

    def forward(self, x, edge_index):
        return self.second(F.elu_(self.first(x, edge_index)), edge_index)


def main() -> None:
    torch.manual_seed(0)
    edge_index = torch.cartesian_prod(torch.arange(4), torch.arange(4)).t()
    edge_index = edge_index[:, edge_index[0] != edge_index[1]].contiguous()
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(2):
        optimizer.zero_grad()
        F.cross_entropy(model(torch.randn(4, 4), edge_index), torch.tensor([0, 1, 1, 0])).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
