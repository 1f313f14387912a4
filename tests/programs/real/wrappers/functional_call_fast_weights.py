"""Fast weights of a functional call are updated in place before their loss is walked."""

import torch
from torch import nn
from torch.func import functional_call

model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
params = {name: p.clone() for name, p in model.named_parameters()}
x, y = torch.randn(5, 2), torch.randn(5, 1)
loss = (functional_call(model, params, (x,)) - y).pow(2).mean()
grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
for (name, p), g in zip(params.items(), grads):
    p -= 0.1 * g  # error: IP101
fast = params
outer = (functional_call(model, fast, (x,)) - y).pow(2).mean()
outer.backward()
