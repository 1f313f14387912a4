"""A MAML inner loop that assigns updated weights through .data: the outer gradient loses the inner graph."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

meta = nn.Linear(2, 1)
opt = torch.optim.SGD(meta.parameters(), lr=0.1)


def inner(learner, x, y, lr=0.1):
    loss = F.mse_loss(learner(x), y)
    grads = torch.autograd.grad(loss, learner.parameters(), create_graph=True)
    for p, g in zip(learner.parameters(), grads):
        p.data = p - lr * g  # error: IP302
    return learner


for _ in range(2):
    learner = copy.deepcopy(meta)
    x, y = torch.randn(8, 2), torch.randn(8, 1)
    learner = inner(learner, x[:4], y[:4])
    query = F.mse_loss(learner(x[4:]), y[4:])
    grads = torch.autograd.grad(query, learner.parameters())
    for p, g in zip(meta.parameters(), grads):
        p.grad = g
    opt.step()
