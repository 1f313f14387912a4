"""Per-sample gradients come from `vmap` over `grad`, leave no graph behind and may be clipped in place before the update."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
params = {name: p.detach() for name, p in net.named_parameters()}


def loss_of(params, x, y):
    prediction = functional_call(net, params, (x.unsqueeze(0),))
    return (prediction.squeeze(0) - y).square().mean()


per_sample = vmap(func=grad(func=loss_of), in_dims=(None, 0, 0))
for _ in range(2):
    x, y = torch.randn(3, 4), torch.randn(3, 1)
    grads = per_sample(params, x, y)
    norms = torch.stack([g.flatten(start_dim=1).norm(dim=1) for g in grads.values()]).norm(dim=0)
    scale = (1.0 / (norms + 1e-6)).clamp_(max=1.0)
    for name, g in grads.items():
        g.mul_(scale.view(-1, *[1] * (g.dim() - 1)))
        params[name].sub_(g.mean(dim=0), alpha=0.1)
