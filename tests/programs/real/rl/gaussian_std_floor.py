"""A floor is put under the standard deviation in place after the log density squared it."""

import torch
from torch import nn
from torch.distributions import Normal


class GaussianActor(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Linear(3, 2)
        self.log_std = nn.Linear(3, 2)

    def forward(self, s):
        return self.mu(s), self.log_std(s).exp()


actor = GaussianActor()
mu, std = actor(torch.randn(4, 3))
dist = Normal(mu, std)
logp = dist.log_prob(dist.sample()).sum(-1)
std.clamp_(min=1e-3)  # error: IP101
(-logp.mean() - 0.01 * dist.entropy().mean()).backward()
