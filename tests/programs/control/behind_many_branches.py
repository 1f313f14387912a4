"""What stands behind many decisions is executed before anything is executed a second time."""

import random

import torch
from torch import nn


def options(words):
    """Thirty settings that nobody knows before the program runs."""
    found = {}
    if words.get("a"):
        found["a"] = 1
    if words.get("b"):
        found["b"] = 1
    if words.get("c"):
        found["c"] = 1
    if words.get("d"):
        found["d"] = 1
    if words.get("e"):
        found["e"] = 1
    if words.get("f"):
        found["f"] = 1
    if words.get("g"):
        found["g"] = 1
    return found


def train(words, x):
    settings = options(words)
    if words.get("quick"):
        return x.sum()
    if words.get("dry"):
        print(settings)
        return x.sum()
    if words.get("log"):
        print("log")
    if words.get("more"):
        print("more")
    if words.get("test"):
        return x.mean()
    y = x.exp()
    if words.get("seed"):
        torch.manual_seed(1)
    if words.get("scaled"):
        y = y * 2
        return y.sum()
    if words.get("clipped"):
        return y.clamp(0, 1).sum()
    if words.get("name") == "plain":
        z = y
    else:
        z = y.view(-1)
        z.add_(1)  # error: IP101
    return z.sum()


words = {"seed": random.random() < 2}
x = torch.rand(3, requires_grad=True)
try:
    train(words, x).backward()
except RuntimeError as error:
    print(error)


def train_in_turns(batches):
    """Each pass of the loop takes another way through it."""
    net = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in batches:
        if batch is None:
            continue
        if batch.dim() == 1:
            print("a vector")
            continue
        if batch.numel() > 100:
            print("too large")
            break
        if not torch.isfinite(batch).all():
            print("not finite")
            continue
        h = net(batch)
        optimizer.step()
        h.mul_(2)  # error: IP101
        h.sum().backward()


try:
    train_in_turns([torch.ones(1, 3)])
except RuntimeError as error:
    print(error)
