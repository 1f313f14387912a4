"""After it."""

import torch


def momentum(params, lr=0.1, beta=0.9):
    velocity = [torch.zeros_like(p) for p in params]

    def update():
        with torch.no_grad():
            for p, v in zip(params, velocity):
                v.mul_(beta).add_(p.grad)
                p.sub_(lr * v)

    return update


w1 = torch.randn(3, 3, requires_grad=True)
w2 = torch.randn(3, 1, requires_grad=True)
update = momentum([w1, w2])
out = torch.tanh(torch.randn(4, 3) @ w1) @ w2
first, second = out.mean(), out.var()
first.backward(retain_graph=True)
second.backward()
update()
