"""The transforms of `torch.func` walk graphs of their own; what happens round them is judged as ever."""

import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, hessian, jacrev, vmap

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2))
x = torch.rand(4, 3)


def loss_of(parameters, inputs):
    out = functional_call(net, parameters, (inputs,))
    out.mul_(2)
    return out.pow(2).mean()


parameters = {name: value.detach() for name, value in net.named_parameters()}
gradients = grad(loss_of)(parameters, x)
gradients, value = grad_and_value(loss_of)(parameters, x)
for name, gradient in gradients.items():
    parameters[name].sub_(gradient, alpha=0.1)

jacrev(torch.tanh)(x)
hessian(lambda t: (t**3).sum())(x[0])

loss = loss_of(dict(net.named_parameters()), x)
loss.backward()

w = torch.rand(3, requires_grad=True)
rows = vmap(lambda row: row * 2)(x)
y = (rows * w).exp()
y.add_(1)  # error: IP101
y.sum().backward()
