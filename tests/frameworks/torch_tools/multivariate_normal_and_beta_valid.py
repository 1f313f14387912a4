"""Samples drawn by `sample` carry no graph, so writing them in place is fine as long as it comes before `log_prob` keeps them."""

import torch
from torch import nn
from torch.distributions import Beta, MultivariateNormal, kl_divergence

net = nn.Linear(3, 4)
optimizer = torch.optim.SGD(params=net.parameters(), lr=0.01)
prior = MultivariateNormal(loc=torch.zeros(2), covariance_matrix=torch.eye(2))

for _ in range(2):
    mean, raw = net(torch.randn(5, 3)).split(split_size=2, dim=1)
    positive = nn.functional.softplus(input=raw)
    positive += 1e-3
    posterior = MultivariateNormal(loc=mean, scale_tril=torch.diag_embed(positive))
    draw = posterior.sample()
    draw.clamp_(min=-3, max=3)
    fraction = Beta(concentration1=positive[:, 0], concentration0=positive[:, 1]).rsample()
    loss = (kl_divergence(posterior, prior) - posterior.log_prob(draw) + fraction).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
