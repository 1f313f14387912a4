"""The losses of all tasks are walked before the one meta step, so the shared encoder's weights stay as each task saved them."""

import higher
import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8))
head = nn.Linear(8, 1)
inner_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
meta_optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=1e-3)

query_losses = []
for task in range(2):
    support, query = encoder(torch.randn(4, 3)), encoder(torch.randn(4, 3))
    with higher.innerloop_ctx(head, inner_optimizer, copy_initial_weights=False) as (fhead, diffopt):
        diffopt.step(fhead(support).square().mean())
        query_losses.append(fhead(query).square().mean())

meta_optimizer.zero_grad()
for loss in query_losses:
    loss.backward()
meta_optimizer.step()
