"""A graph auto-encoder with PyG's own losses and utilities."""

import torch
from torch_geometric.data import Data
from torch_geometric.nn import GAE, VGAE, GCNConv
from torch_geometric.utils import dropout_edge, negative_sampling, to_dense_adj, to_dense_batch


class Encoder(torch.nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.conv1 = GCNConv(i, 2 * o, cached=False)
        self.mu = GCNConv(2 * o, o)
        self.logstd = GCNConv(2 * o, o)

    def forward(self, x, edge_index):
        x = self.conv1(x, edge_index).relu_()
        return self.mu(x, edge_index), self.logstd(x, edge_index)


data = Data(x=torch.randn(4, 3), edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]))
model = VGAE(Encoder(3, 2))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(2):
    edge_index, _ = dropout_edge(data.edge_index, p=0.2)
    z = model.encode(data.x, edge_index)
    loss = model.recon_loss(z, data.edge_index)
    loss += model.kl_loss() / data.num_nodes
    dense, mask = to_dense_batch(z)
    dense *= 2
    adj = to_dense_adj(data.edge_index)
    adj[0].fill_diagonal_(1)
    opt.zero_grad()
    (loss + dense.mean()).backward()
    opt.step()
