"""Inner steps of meta-learning: what is written through `.data` has no graph, whatever was created for it."""

import torch
from torch import nn


def adapt(net, x, create_graph):
    loss = net(x).pow(2).mean()
    gradients = torch.autograd.grad(loss, list(net.parameters()), create_graph=create_graph)
    for parameter, gradient in zip(net.parameters(), gradients):
        parameter.data -= 0.1 * gradient  # error: IP302
    return net


net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
adapt(net, torch.rand(4, 3), create_graph=True)(torch.rand(4, 3)).sum().backward()


def descend(net, x):
    loss = net(x).pow(2).mean()
    gradients = torch.autograd.grad(loss, list(net.parameters()))
    for parameter, gradient in zip(net.parameters(), gradients):
        parameter.data -= 0.1 * gradient
    return net


descend(net, torch.rand(4, 3))(torch.rand(4, 3)).sum().backward()


def descend_without_graph(net, x):
    loss = net(x).pow(2).mean()
    gradients = torch.autograd.grad(loss, list(net.parameters()), create_graph=True)
    with torch.no_grad():
        for parameter, gradient in zip(net.parameters(), gradients):
            parameter.data -= 0.1 * gradient
    return net


descend_without_graph(net, torch.rand(4, 3))(torch.rand(4, 3)).sum().backward()
