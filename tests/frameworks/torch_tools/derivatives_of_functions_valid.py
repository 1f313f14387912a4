"""Derivatives by `torch.autograd.functional` and `torch.func`: what they give may be written, with a graph or without."""

import torch
from torch import nn
from torch.autograd.functional import hessian, hvp, jacobian
from torch.func import jacfwd, jvp, vjp

net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 2)
jacobian(net, x).mul_(2)
value, product = hvp(lambda x: net(x).pow(2).sum(), x, torch.ones_like(x), create_graph=True)
product = product * 2
product += 1
curvature = hessian(lambda x: net(x).sum(), x)
curvature /= 2
out, pull = vjp(net, x)
(gradient,) = pull(torch.ones(5, 1))
gradient = gradient * 1
gradient += 1
pushed, tangent = jvp(net, (x,), (torch.ones_like(x),))
(value + product.sum() + gradient.sum() + pushed.sum() + tangent.sum() + jacfwd(net)(x).sum()).backward()
opt.step()
