"""With `track_higher_grads=False` the inner step frees the support loss's graph, so adding that loss to the outer one walks it a second time."""

import higher
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x, y = torch.randn(4, 3), torch.randn(4, 1)

with higher.innerloop_ctx(net, optimizer, track_higher_grads=False) as (fnet, diffopt):
    support_loss = (fnet(x) - y).square().mean()
    diffopt.step(support_loss)
    query_loss = (fnet(x) - y).square().mean()
    (query_loss + support_loss).backward()  # error: IP103
