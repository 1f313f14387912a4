"""What distributions keep of their parameters and of what was drawn."""

import torch
from torch import distributions as D


def scale_written(x):
    scale = x * 2
    noise = D.Normal(loc=x, scale=scale).rsample()
    scale.clamp_(min=0.1)
    return noise


def sum_of_dimensions(x):
    scale = x * 2
    normal = D.Independent(D.Normal(x, scale), 1)
    density = normal.log_prob(value=torch.zeros(3))
    scale.clamp_(min=0.1)  # error: IP101
    return density


def compared(x):
    scale = x * 2
    apart = D.kl_divergence(D.Normal(torch.zeros(3), torch.ones(3)), D.Normal(x, scale))
    scale.add_(1)  # error: IP101
    return apart


def drawn(x):
    choice = D.Categorical(logits=x)
    action = choice.sample()
    density = choice.log_prob(action)
    action.zero_()  # error: IP101
    return density


def drawn_and_stored(x):
    choice = D.Categorical(logits=x)
    action = choice.sample()
    density = choice.log_prob(action.clone())
    action.zero_()
    density.mul_(2)
    return density


def between(x):
    high = x * 2
    uniform = D.Uniform(low=-1.0, high=high)
    sample = uniform.rsample()
    high.add_(1)
    sample.mul_(2)
    return sample


def coins(x):
    coin = D.Bernoulli(logits=x)
    density = coin.log_prob(torch.ones(3))
    x = x * 2
    x.add_(1)
    return density + coin.entropy()


x = torch.rand(3, requires_grad=True)
for function in (scale_written, sum_of_dimensions, compared, drawn, drawn_and_stored, between, coins):
    try:
        function(x).sum().backward()
    except RuntimeError:
        pass
