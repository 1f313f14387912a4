"""SAC's squashed Gaussian: the correction is subtracted in place from the log density, which nobody kept."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions.normal import Normal

net = nn.Linear(3, 4)
mu, log_std = net(torch.randn(5, 3)).chunk(2, dim=-1)
dist = Normal(mu, log_std.clamp(-20, 2).exp())
action = dist.rsample()
logp = dist.log_prob(action).sum(axis=-1)
logp -= (2 * (0.7 - action - F.softplus(-2 * action))).sum(axis=1)
(logp - torch.tanh(action).sum(-1)).mean().backward()
