"""The meta optimizer steps while later tasks' losses still wait, but the inner loop starts from clones of the parameters, so no waiting graph has saved what the step writes."""

import higher
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
inner_optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
meta_optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

query_losses = []
for task in range(2):
    x_support, y_support = torch.randn(4, 3), torch.randn(4, 1)
    x_query, y_query = torch.randn(4, 3), torch.randn(4, 1)
    with higher.innerloop_ctx(net, inner_optimizer, copy_initial_weights=False) as (fnet, diffopt):
        for _ in range(2):
            diffopt.step(nn.functional.mse_loss(fnet(x_support), y_support))
        query_losses.append(nn.functional.mse_loss(fnet(x_query), y_query))

for loss in query_losses:
    meta_optimizer.zero_grad()
    loss.backward()
    meta_optimizer.step()
