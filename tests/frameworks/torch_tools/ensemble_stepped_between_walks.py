"""The stacked parameters of an ensemble are stepped between two walks through one call of it."""

import copy

import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

models = [nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)) for _ in range(3)]
params, buffers = stack_module_state(models)
base = copy.deepcopy(models[0]).to("meta")
opt = torch.optim.SGD(params.values(), lr=1e-3)
call = vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))
out = call(params, buffers, torch.randn(5, 3))
mean, spread = out.mean(), out.var(dim=0).mean()
mean.backward(retain_graph=True)
opt.step()  # error: IP102
opt.zero_grad()
(-spread).backward()
