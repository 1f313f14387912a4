"""The normal distribution keeps views of its scale and not copies, so shrinking the scale in place after a log-probability breaks backward."""

import torch
from torch import nn
from torch.distributions import Normal

net = nn.Linear(3, 2)
mean, raw = net(torch.randn(5, 3)).unbind(dim=1)
scale = nn.functional.softplus(input=raw) + 0.1
terms = []
for _ in range(2):
    normal = Normal(loc=mean, scale=scale)
    terms.append(normal.log_prob(value=torch.zeros(5)))
    scale.mul_(other=0.5)  # error: IP101
torch.autograd.backward(tensors=torch.cat(tensors=terms).mean())
