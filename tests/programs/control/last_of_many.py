"""The last of the losses that a tensor holds frees the graph: who asks for the last by the number of them is right."""

import torch
from torch import nn


class Parts(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(8, 1) for _ in range(parts)])

    def forward(self, x):
        h = self.body(x)
        return torch.stack([head(h).mean() for head in self.heads])


def walk_by_number(net, batches, only=0):
    for x in batches:
        losses = net(x)
        for idx in range(len(losses)):
            if len(losses) == 1 and only:
                idx = 0
            net.zero_grad()
            if idx == len(losses) - 1:
                losses[idx].backward()
            else:
                losses[idx].backward(retain_graph=True)


def walk_by_element(net, batches):
    for x in batches:
        losses = net(x)
        for i, loss in enumerate(losses):
            if i == len(losses) - 1:
                loss.backward()
            else:
                loss.backward(retain_graph=True)


def walk_before_the_last(net, batches):
    for x in batches:
        losses = net(x)
        last = losses.shape[0] - 1
        for i in range(len(losses)):
            losses[i].backward(retain_graph=i < last)


def walk_wrongly(net, batches):
    for x in batches:
        losses = net(x)
        for i in range(len(losses)):
            if i == len(losses) - 1:
                losses[i].backward(retain_graph=True)  # error: IP103
            else:
                losses[i].backward()


def walk_elements_wrongly(net, batches):
    for x in batches:
        for loss in net(x):
            loss.backward()  # error: IP103


batches = [torch.randn(2, 4) for _ in range(2)]
for walk in (walk_by_number, walk_by_element, walk_before_the_last):
    walk(Parts(3), batches)
walk_by_number(Parts(1), batches, 1)
for walk, parts in ((walk_wrongly, 2), (walk_elements_wrongly, 2)):
    try:
        walk(Parts(parts), batches)
    except RuntimeError as error:
        print(error)
