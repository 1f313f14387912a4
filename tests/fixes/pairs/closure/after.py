# unsafe: Compute `loss` in every call of `closure` (computed with the parameters of that call)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
opt = torch.optim.LBFGS([x], max_iter=3)


def square(t):
    return (t * t).sum()


def closure():
    loss = square(x)
    opt.zero_grad()
    loss.backward()
    return loss


opt.step(closure)
