"""autograd.functional and higher-order grads; v normalised in place between products."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(5, 3)
loss = net(x).square().mean()
params = list(net.parameters())
grads = torch.autograd.grad(loss, params, create_graph=True)
flat = torch.cat([g.reshape(-1) for g in grads])
v = torch.randn_like(flat)
for _ in range(3):
    v /= v.norm()
    hv = torch.autograd.grad(flat @ v, params, retain_graph=True)
    v = torch.cat([h.reshape(-1) for h in hv])
J = torch.autograd.functional.jacobian(lambda t: net(t).sum(0), x)
J *= 2
gv = flat @ v
v.neg_()  # error: IP101
gv.backward()
