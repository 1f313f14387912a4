"""Adam whose state lives in a dict keyed by name; parameters replaced in the loop; multi-step before backward of an old loss."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
state = {n: dict(m=torch.zeros_like(p), v=torch.zeros_like(p)) for n, p in net.named_parameters()}
b1, b2, lr = 0.9, 0.999, 1e-3
losses = []
for t in range(1, 4):
    x = torch.randn(4, 2)
    loss = net(x).square().mean()
    reg = sum(p.abs().sum() for p in net.parameters())
    grads = torch.autograd.grad(loss + 1e-4 * reg, net.parameters())
    with torch.no_grad():
        for (n, p), g in zip(net.named_parameters(), grads, strict=True):
            s = state[n]
            s["m"].mul_(b1).add_(g, alpha=1 - b1)
            s["v"].mul_(b2).addcmul_(g, g, value=1 - b2)
            p.addcdiv_(s["m"] / (1 - b1**t), (s["v"] / (1 - b2**t)).sqrt_().add_(1e-8), value=-lr)
    losses.append(loss.item())
print(losses)
