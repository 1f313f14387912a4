"""unbatch splits the nodes into one view per graph, and torch refuses to write one of several views made by a
single call."""

import torch
from torch import nn
from torch_geometric.data import Batch, Data
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import unbatch

torch.manual_seed(0)
ring = torch.tensor([[0, 1, 2], [1, 2, 0]])
batch = Batch.from_data_list([Data(x=torch.randn(3, 4), edge_index=ring) for _ in range(2)])
conv = SAGEConv(4, 6)
readout = nn.GRU(6, 5, batch_first=True)
optimizer = torch.optim.Adam([*conv.parameters(), *readout.parameters()])

hidden = conv(batch.x, batch.edge_index)
loss = torch.zeros(())
for nodes in unbatch(hidden, batch.batch):
    nodes -= nodes.mean(dim=0)  # error: IP203
    _, state = readout(nodes.unsqueeze(0))
    loss = loss + state.square().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
