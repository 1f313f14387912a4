"""torch._foreach_* on lists of parameters, before and after backward."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
ema = [p.detach().clone() for p in net.parameters()]
loss = net(torch.randn(5, 3)).sum()
torch._foreach_lerp_(ema, [p.detach() for p in net.parameters()], 0.1)
loss.backward()
grads = [p.grad for p in net.parameters()]
torch._foreach_mul_(grads, 0.5)
with torch.no_grad():
    torch._foreach_add_(list(net.parameters()), grads, alpha=-0.1)
loss = net(torch.randn(5, 3)).sum()
with torch.no_grad():
    torch._foreach_mul_(list(net.parameters()), 0.9)  # error: IP101
loss.backward()
