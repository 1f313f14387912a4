"""to_dense_batch copies the nodes into a padded tensor, so the padding may be written in place."""

import torch
from torch import nn
from torch_geometric.data import Batch, Data
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import to_dense_batch

torch.manual_seed(0)
ring = torch.tensor([[0, 1, 2], [1, 2, 0]])
pair = torch.tensor([[0, 1], [1, 0]])
batch = Batch.from_data_list([Data(x=torch.randn(3, 4), edge_index=ring), Data(x=torch.randn(2, 4), edge_index=pair)])
conv = SAGEConv(4, 6)
readout = nn.GRU(6, 5, batch_first=True)
optimizer = torch.optim.Adam([*conv.parameters(), *readout.parameters()])

for _ in range(2):
    hidden = torch.sigmoid(conv(batch.x, batch.edge_index))
    dense, mask = to_dense_batch(hidden, batch.batch)
    dense -= dense.mean(dim=1, keepdim=True)
    dense[~mask] = 0.0
    _, state = readout(dense)
    loss = state.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
