import torch
from torch import nn


def hvp(loss, params, v):
    grads = torch.autograd.grad(loss, params, create_graph=True)
    flat = torch.cat([g.reshape(-1) for g in grads])
    out = torch.autograd.grad(flat @ v, params, retain_graph=True)
    return torch.cat([g.reshape(-1) for g in out])


def conjugate_gradient(loss, params, b, iters=2):
    x, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), r @ r
    for _ in range(iters):
        Ap = hvp(loss, params, p) + 0.1 * p
        alpha = rr / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p = r + new / rr * p
        rr = new
    return x


net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
params = list(net.parameters())
loss = net(torch.randn(6, 2)).pow(2).mean()
b = torch.randn(sum(p.numel() for p in params))
step = conjugate_gradient(loss, params, b)
print(step.norm().item())
