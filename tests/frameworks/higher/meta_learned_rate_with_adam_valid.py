"""A learning rate is learned through unrolled Adam steps; the copy of the initial weights that the inner loop makes is not what the outer optimizer writes."""

import higher
import torch
from torch import nn

net = nn.Linear(3, 1)
inner_optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
rate = nn.Parameter(torch.tensor(0.01))
rate_optimizer = torch.optim.SGD([rate], lr=1e-3)

for epoch in range(2):
    x, y = torch.randn(4, 3), torch.randn(4, 1)
    with higher.innerloop_ctx(net, inner_optimizer, override={"lr": [rate]}) as (fnet, diffopt):
        for _ in range(2):
            diffopt.step((fnet(x) - y).square().mean())
        outer_loss = (fnet(x) - y).square().mean()
        with torch.no_grad():
            net.weight.mul_(0.99)
        rate_optimizer.zero_grad()
        outer_loss.backward()
    rate_optimizer.step()
    with torch.no_grad():
        rate.clamp_(min=1e-4)
