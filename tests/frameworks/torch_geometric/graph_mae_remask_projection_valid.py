"""A masked graph autoencoder zeroes the codes of masked nodes in place after a linear projection that does not keep them."""

import torch
import torch.nn.functional as F
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, SAGEConv
from torch_geometric.utils import erdos_renyi_graph


def sce_loss(x, y, alpha: float = 3):
    x, y = F.normalize(x, p=2, dim=-1), F.normalize(y, p=2, dim=-1)
    return (1 - (x * y).sum(dim=-1)).pow_(alpha).mean()


class Encoder(nn.Module):
    def __init__(self, in_dim: int, hidden: int, activation: str) -> None:
        super().__init__()
        mlp = nn.Sequential(nn.Linear(in_dim, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.conv = GINConv(mlp, train_eps=True)
        self.act = {"tanh": torch.tanh, "elu": F.elu}[activation]

    def forward(self, x, edge_index):
        return self.act(self.conv(x, edge_index))


class GraphMAE(nn.Module):
    def __init__(self, in_dim: int, hidden: int, mask_rate: float = 0.5, activation: str = "tanh") -> None:
        super().__init__()
        self.mask_rate = mask_rate
        self.encoder = Encoder(in_dim, hidden, activation)
        self.encoder_to_decoder = nn.Linear(hidden, hidden, bias=False)
        self.decoder = SAGEConv(hidden, in_dim)
        self.enc_mask_token = nn.Parameter(torch.zeros(1, in_dim))

    def encoding_mask_noise(self, x):
        perm = torch.randperm(x.size(0))
        mask_nodes = perm[: int(self.mask_rate * x.size(0))]
        out_x = x.clone()
        out_x[mask_nodes] = 0.0
        out_x[mask_nodes] += self.enc_mask_token
        return out_x, mask_nodes

    def forward(self, batch):
        use_x, mask_nodes = self.encoding_mask_noise(batch.x)
        rep = self.encoder(use_x, batch.edge_index)
        rep = self.encoder_to_decoder(rep)
        rep[mask_nodes] = 0
        recon = self.decoder(rep, batch.edge_index)
        return sce_loss(recon[mask_nodes], batch.x[mask_nodes])


def graphs(n: int) -> list[Data]:
    return [Data(x=torch.randn(5, 4), edge_index=erdos_renyi_graph(5, 0.6)) for _ in range(n)]


if __name__ == "__main__":
    torch.manual_seed(0)
    model = GraphMAE(4, 8)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for batch in DataLoader(graphs(4), batch_size=2, shuffle=True):
        loss = model(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
