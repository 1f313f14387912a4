"""torch.distributions.normal: the density squares the scale and takes its logarithm."""

import torch
from inplace_lsp.modelling import compute, ignores
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class Normal(Distribution):
    """A normal distribution."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, loc, scale, validate_args=None):
        self.loc = loc
        self.scale = scale
        self.mean = loc
        self.mode = loc
        self.stddev = scale

    @property
    def variance(self):
        """Square the scale."""
        return self.stddev.pow(2)

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def rsample(self, sample_shape=()):
        """Scale noise and shift it."""
        return self.loc + compute("sample", ()) * self.scale

    def log_prob(self, value):
        """Compute the logarithm of the density."""
        variance = self.scale**2
        return -((value - self.loc) ** 2) / (2 * variance) - torch.log(self.scale)

    def cdf(self, value):
        """Compute the probability of what is smaller."""
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / 1.4))

    def icdf(self, value):
        """Compute where a probability is reached."""
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * 1.4

    def entropy(self):
        """Compute the entropy."""
        return 1.4 + torch.log(self.scale)
