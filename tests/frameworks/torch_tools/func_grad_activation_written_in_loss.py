"""The loss that `torch.func.grad` differentiates shifts its sigmoid in place, which the backward of sigmoid needs."""

import torch
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
net = nn.Linear(4, 2)
params = {name: value.detach() for name, value in net.named_parameters()}


def loss_of(params, x, y):
    gate = functional_call(net, params, (x,)).sigmoid()
    gate += 0.1  # error: IP101
    return (gate - y).square().mean()


x, y = torch.randn(3, 4), torch.rand(3, 2)
for _ in range(2):
    gradients = grad(loss_of)(params, x, y)
    params = {name: value - 0.1 * gradients[name] for name, value in params.items()}
