"""Mean pooling keeps only the graphs' sizes, and each batch holds copies of its graphs' features: both may be
written."""

import torch
import torch.nn.functional as F
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_max_pool, global_mean_pool


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(3, 8)
        self.lin = nn.Linear(16, 2)

    def forward(self, x, edge_index, batch):
        x = self.conv(x, edge_index).relu()
        mean, peak = global_mean_pool(x, batch), global_max_pool(x, batch)
        mean /= 4.0
        return self.lin(torch.cat([mean, peak], dim=1))


torch.manual_seed(0)
ring = torch.tensor([[0, 1, 2], [1, 2, 0]])
dataset = [Data(x=torch.randn(3, 3), edge_index=ring, y=torch.tensor([i % 2])) for i in range(4)]
loader = DataLoader(dataset, batch_size=2, shuffle=True)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    for data in loader:
        data = data.to("cpu")
        data.x -= data.x.mean(dim=0, keepdim=True)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data.x, data.edge_index, data.batch), data.y)
        loss.backward()
        optimizer.step()
