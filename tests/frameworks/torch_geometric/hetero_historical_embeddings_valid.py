"""Historical embeddings are read by index and written back in place from detached values, so the graph never sees the buffer."""

import torch
import torch.nn.functional as F
from torch import nn
from torch_geometric.data import HeteroData
from torch_geometric.nn import HeteroConv, SAGEConv
from torch_geometric.utils import scatter


class History(nn.Module):
    def __init__(self, nodes: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("emb", torch.zeros(nodes, dim))

    def pull(self, ids: torch.Tensor) -> torch.Tensor:
        return self.emb[ids]

    @torch.no_grad()
    def push(self, x: torch.Tensor, ids: torch.Tensor) -> None:
        self.emb[ids] = x

    @torch.no_grad()
    def decay(self, rate: float) -> None:
        self.emb *= rate


class HeteroNet(nn.Module):
    def __init__(self, counts: dict[str, int], hidden: int) -> None:
        super().__init__()
        self.embed = nn.ModuleDict({kind: nn.Embedding(n, hidden) for kind, n in counts.items()})
        self.history = nn.ModuleDict({kind: History(n, hidden) for kind, n in counts.items()})
        relations = [("user", "rates", "item"), ("item", "rated_by", "user")]
        self.conv = HeteroConv({relation: SAGEConv((-1, -1), hidden) for relation in relations}, aggr="sum")
        self.out = nn.Linear(hidden, 1)

    def forward(self, data: HeteroData) -> torch.Tensor:
        x_dict = {}
        for kind, embedding in self.embed.items():
            ids = data[kind].n_id
            x_dict[kind] = embedding(ids) + self.history[kind].pull(ids)
        for kind, x in self.conv(x_dict, data.edge_index_dict).items():
            x = x.relu_()
            self.history[kind].push(x, data[kind].n_id)
            self.history[kind].decay(0.9)
            x_dict[kind] = x
        src, dst = data["user", "rates", "item"].edge_index
        context = scatter(x_dict["user"][src], dst, dim=0, dim_size=x_dict["item"].size(0), reduce="mean")
        return self.out(x_dict["item"] + context).squeeze(-1)


def main() -> None:
    torch.manual_seed(0)
    data = HeteroData()
    data["user"].n_id, data["item"].n_id = torch.arange(3), torch.arange(4)
    edges = torch.tensor([[0, 0, 1, 2], [0, 1, 2, 3]])
    data["user", "rates", "item"].edge_index = edges
    data["item", "rated_by", "user"].edge_index = edges.flip(0)
    model = HeteroNet({"user": 3, "item": 4}, hidden=6)
    with torch.no_grad():
        model(data)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(2):
        optimizer.zero_grad()
        F.mse_loss(model(data), torch.rand(4)).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
