"""A residual of second derivatives (by `torch.func`) and a boundary term; the step comes between their walks back."""

import torch
from torch import nn
from torch.func import functional_call, hessian, jacrev, vmap

net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
params = dict(net.named_parameters())


def field(params, x):
    return functional_call(net, params, (x,)).squeeze(-1)


for _ in range(2):
    x = torch.randn(5, 2)
    slope = vmap(jacrev(field, argnums=1), in_dims=(None, 0))(params, x)
    curvature = vmap(hessian(field, argnums=1), in_dims=(None, 0))(params, x)
    residual = (curvature.diagonal(dim1=-2, dim2=-1).sum(-1) + slope.sum(-1)).pow(2).mean()
    opt.zero_grad()
    field(params, x).mean().backward()
    opt.step()  # error: IP102
    residual.backward()
    opt.step()
