"""What `vjp` gives has a graph only if something outside it requires grad: data may be stepped by it."""

import torch
from torch.func import vjp


def model(w, x):
    return torch.tanh(x @ w).sum(-1)


w, x = torch.randn(3, 2), torch.randn(5, 3)
out, pull = vjp(model, w, x)
along_w, along_x = pull(torch.ones_like(out))
out.mul_(2)
w.sub_(along_w)
x.sub_(along_x)

outer = torch.randn(2, requires_grad=True)
out, pull = vjp(lambda x: model(w, x) * outer[0], x)
(along_x,) = pull(torch.ones_like(out))
(out.sum() + along_x.sum()).backward()
