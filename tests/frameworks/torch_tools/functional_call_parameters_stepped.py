"""`functional_call` saves the very tensors of the dictionary it is given, and the optimizer writes them before backward."""

import torch
from torch import nn
from torch.func import functional_call

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
weights = dict(net.named_parameters())
optimizer = torch.optim.SGD(params=weights.values(), lr=0.1)

losses = []
for _ in range(2):
    prediction = functional_call(module=net, parameter_and_buffer_dicts=weights, args=(torch.randn(3, 4),))
    losses.append(prediction.square().mean())

losses[0].backward()
optimizer.step()  # error: IP102
losses[1].backward()
