import torch
from torch import nn


def adapt(net, x, y, rate=0.1):
    loss = nn.functional.mse_loss(net(x), y)
    gradients = torch.autograd.grad(loss, net.parameters(), create_graph=True)
    for parameter, gradient in zip(net.parameters(), gradients):
        parameter.data -= rate * gradient  # error: IP302
    return net


x, y = torch.rand(5, 3), torch.rand(5, 1)
net = nn.Linear(3, 1)
adapted = adapt(net, x, y)
outer = nn.functional.mse_loss(adapted(x), y)
outer.backward()
