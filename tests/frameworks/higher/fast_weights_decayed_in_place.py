"""The fast weights, results of the inner step, are decayed in place after the query's forward has saved them."""

import higher
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
inner_optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
meta_optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
x, y = torch.randn(4, 3), torch.randn(4, 1)

for epoch in range(2):
    with higher.innerloop_ctx(net, inner_optimizer, copy_initial_weights=False) as (fnet, diffopt):
        diffopt.step((fnet(x) - y).square().mean())
        query_loss = (fnet(x) - y).square().mean()
        for weight in fnet.parameters():
            weight.mul_(0.9)  # error: IP101
        meta_optimizer.zero_grad()
        query_loss.backward()
    meta_optimizer.step()
