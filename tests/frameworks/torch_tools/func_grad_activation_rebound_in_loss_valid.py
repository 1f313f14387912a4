"""The loss that `torch.func.grad_and_value` differentiates makes a new tensor of its sigmoid; the value and the gradients
carry no graph and may be written."""

import torch
from torch import nn
from torch.func import functional_call, grad_and_value

torch.manual_seed(0)
net = nn.Linear(4, 2)
params = {name: value.detach() for name, value in net.named_parameters()}


def loss_of(params, x, y):
    gate = functional_call(net, params, (x,)).sigmoid()
    gate = gate + 0.1
    return (gate - y).square().mean()


x, y = torch.randn(3, 4), torch.rand(3, 2)
total = torch.zeros(())
for _ in range(2):
    gradients, value = grad_and_value(loss_of)(params, x, y)
    value *= len(x)
    total += value
    for name, gradient in gradients.items():
        gradient.clamp_(-1.0, 1.0)
        params[name].sub_(0.1 * gradient)
