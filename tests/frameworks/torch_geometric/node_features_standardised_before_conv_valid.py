"""The node features are standardised in place before the convolution keeps them, and its result may be written
for nobody keeps it."""

import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv


class AutoEncoder(torch.nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.conv1 = GCNConv(channels, hidden)
        self.conv2 = GCNConv(hidden, channels)

    def forward(self, x, edge_index):
        h = self.conv1(x, edge_index)
        h += 0.1 * torch.randn_like(h)
        F.elu_(h)
        return self.conv2(h, edge_index)


torch.manual_seed(0)
edge_index = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
data = Data(x=torch.randn(4, 3), edge_index=edge_index)
data.x -= data.x.mean(dim=0)
data.x /= data.x.std(dim=0)
model = AutoEncoder(3, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(2):
    model.train()
    optimizer.zero_grad()
    out = model(data.x, data.edge_index)
    loss = F.mse_loss(out, data.x)
    loss.backward()
    optimizer.step()
