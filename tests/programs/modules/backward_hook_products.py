"""Autograd calls a backward hook with grad mode off: what it writes is not recorded. Called by the program, it is."""

import torch
from torch import nn


def scale(module: nn.Linear, grad_input, grad_output):
    product = module.weight.exp()
    product.mul_(2)
    return tuple(part if part is None else part * product.mean() for part in grad_input)


def penalise(module: nn.Linear, factor, grad_output):
    product = module.weight.exp()
    product.mul_(2)  # error: IP101
    return product.sum() * factor


def punish(module: nn.Linear, grad_input, grad_output):
    product = module.weight.exp()
    product.mul_(2)  # error: IP101
    return product.sum() * grad_input.sum()


net = nn.Linear(3, 3)
net.register_full_backward_hook(scale)
x = torch.rand(2, 3, requires_grad=True)
net(x).sum().backward()
print(x.grad)
loss = penalise(net, 0.5, None) + punish(net, x.grad, None)
loss.backward()
