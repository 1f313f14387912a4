"""With higher gradients tracked the inner step keeps the support loss's graph, so the outer loss may contain it; the fast weights are new tensors at every step."""

import higher
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x, y = torch.randn(4, 3), torch.randn(4, 1)

with higher.innerloop_ctx(net, optimizer, copy_initial_weights=False) as (fnet, diffopt):
    support_loss = (fnet(x) - y).square().mean()
    diffopt.step(support_loss)
    query_loss = (fnet(x) - y).square().mean()
    (query_loss + support_loss).backward()
optimizer.step()
