"""The in-place dropout overwrites the result that the ReLU before it has kept for the backward pass."""

import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import GATConv


class GAT(torch.nn.Module):
    def __init__(self, in_channels, hidden, out_channels, heads=2):
        super().__init__()
        self.conv1 = GATConv(in_channels, hidden, heads=heads, dropout=0.2)
        self.conv2 = GATConv(hidden * heads, out_channels, concat=False)

    def forward(self, data):
        x = self.conv1(data.x, data.edge_index)
        x = F.relu(x)
        x = F.dropout(x, p=0.5, training=self.training, inplace=True)  # error: IP101
        x = self.conv2(x, data.edge_index)
        return F.log_softmax(x, dim=1)


torch.manual_seed(0)
data = Data(
    x=torch.randn(4, 3),
    edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]),
    y=torch.tensor([0, 1, 0, 1]),
    train_mask=torch.tensor([True, True, False, True]),
)
model = GAT(3, 4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for _ in range(2):
    optimizer.zero_grad()
    out = model(data)
    loss = F.nll_loss(out[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()
