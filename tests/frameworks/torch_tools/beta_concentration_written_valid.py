"""The Beta distribution stacks copies of its concentrations, so raising the originals in place between two draws touches nothing that is kept."""

import torch
from torch import nn
from torch.distributions import Beta

net = nn.Linear(3, 2)
concentration = nn.functional.softplus(input=net(torch.randn(5, 3)))
concentration = concentration + 1.0
draws = []
for _ in range(2):
    beta = Beta(concentration1=concentration[:, 0], concentration0=concentration[:, 1])
    draws.append(beta.rsample())
    draws.append(beta.entropy())
    concentration.clamp_(min=1.5)
torch.autograd.backward(tensors=torch.cat(tensors=draws).sum())
