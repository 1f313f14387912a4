"""`numpy.nonzero` of a tensor calls the tensor's own method: its extents decide twice alike which backward keeps the
graph."""

import torch
from numpy import nonzero
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.1)


def train(batches, most):
    for data, valid in batches:
        losses = net(data).pow(2).mean(1)
        need = {"all": nonzero(valid)[:most, 0]}
        rest = {"all": nonzero(valid)[most:, 0]}
        first = torch.sum(losses[need["all"]])
        second = torch.sum(losses[rest["all"]])
        if rest["all"].size(0) > 0:
            first.backward(retain_graph=True)
        else:
            first.backward()
        if rest["all"].size(0) > 0:
            second.backward()
        optimizer.step()


def train_without(batches, most):
    for data, valid in batches:
        losses = net(data).pow(2).mean(1)
        rest = nonzero(valid)[most:, 0]
        torch.sum(losses[:most]).backward()
        if rest.size(0) > 0:
            torch.sum(losses[rest]).backward()  # error: IP103


train([(torch.rand(3, 4), torch.ones(3)), (torch.rand(3, 4), torch.ones(3))], 2)
train_without([(torch.rand(3, 4), torch.ones(3))], 2)
