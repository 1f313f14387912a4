import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
opt = torch.optim.LBFGS([x], max_iter=3)


def square(t):
    return (t * t).sum()


loss = square(x)


def closure():
    opt.zero_grad()
    loss.backward()
    return loss


opt.step(closure)
