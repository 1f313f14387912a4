"""The temporal graph memory is updated and then detached after each batch, as its authors do, so no batch
enters another's graph."""

import torch
from torch import nn
from torch_geometric.nn import TGNMemory
from torch_geometric.nn.models.tgn import IdentityMessage, LastAggregator

torch.manual_seed(0)
memory = TGNMemory(
    num_nodes=4,
    raw_msg_dim=3,
    memory_dim=5,
    time_dim=2,
    message_module=IdentityMessage(3, 5, 2),
    aggregator_module=LastAggregator(),
)
predict = nn.Linear(10, 1)
optimizer = torch.optim.Adam([*memory.parameters(), *predict.parameters()], lr=1e-3)
memory.train()
memory.reset_state()
for batch in range(3):
    src, dst = torch.tensor([0, 1]), torch.tensor([2, 3])
    time, message = torch.tensor([2 * batch, 2 * batch + 1]), torch.randn(2, 3)
    optimizer.zero_grad()
    z, last_update = memory(torch.arange(4))
    score = predict(torch.cat([z[src], z[dst]], dim=-1))
    loss = nn.functional.binary_cross_entropy_with_logits(score, torch.ones_like(score))
    memory.update_state(src, dst, time, message)
    loss.backward()
    optimizer.step()
    memory.detach()
