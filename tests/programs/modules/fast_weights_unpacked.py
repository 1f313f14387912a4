"""Fast weights unpacked from copies of a network's parameters: a weight is kept, a bias is not."""

import torch
import torch.nn.functional as F
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
w1, b1, w2, b2 = [p.detach().clone().requires_grad_() for p in net.parameters()]
y = F.linear(torch.tanh(F.linear(torch.randn(5, 3), w1, b1)), w2, b2)
loss = y.pow(2).mean()
grads = torch.autograd.grad(loss, (w1, b1, w2, b2), create_graph=True)
w1, b1, w2, b2 = (p - 0.1 * g for p, g in zip((w1, b1, w2, b2), grads))
out = F.linear(torch.tanh(F.linear(torch.randn(5, 3), w1, b1)), w2, b2).mean()
b1.mul_(2)
b2.mul_(2)
out.backward(retain_graph=True)
w2.mul_(2)  # error: IP101
out.backward()
