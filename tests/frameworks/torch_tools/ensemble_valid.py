"""The stacked parameters of an ensemble are leaves of their own: the modules they come from may be written."""

import copy

import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

models = nn.ModuleList([nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)) for _ in range(3)])
params, buffers = stack_module_state(models=models)
base = copy.deepcopy(models[0]).to("meta")
opt = torch.optim.Adam(list(params.values()), lr=1e-3)


def call(p, b, data):
    return functional_call(base, (p, b), (data,))


for _ in range(2):
    out = vmap(call, in_dims=(0, 0, None))(params, buffers, torch.randn(5, 3))
    out -= 1
    loss = out.pow(2).mean()
    with torch.no_grad():
        models[0][0].weight.zero_()
    opt.zero_grad()
    loss.backward()
    opt.step()
