"""The node memory is cut off from its graph after each step, so every backward stays within its own batch."""

import torch
from torch import nn
from torch_geometric.nn import SAGEConv


class NodeMemory(nn.Module):
    def __init__(self, num_nodes, dim):
        super().__init__()
        self.register_buffer("state", torch.zeros(num_nodes, dim))
        self.cell = nn.GRUCell(dim, dim)

    def update(self, nodes, messages):
        state = self.state.clone()
        state[nodes] = self.cell(messages, state[nodes])
        self.state = state
        return state

    def detach(self):
        self.state.detach_()


torch.manual_seed(0)
memory, conv = NodeMemory(5, 4), SAGEConv(4, 4)
optimizer = torch.optim.Adam([*memory.parameters(), *conv.parameters()], lr=1e-3)
edge_index = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]])
for nodes in torch.tensor([[0, 1, 2], [2, 3, 4]]):
    messages, target = torch.randn(3, 4), torch.randn(3, 4)
    out = conv(memory.update(nodes, messages), edge_index)
    loss = nn.functional.mse_loss(out[nodes], target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    memory.detach()
