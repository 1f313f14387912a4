"""torch.distributions.uniform: the density is one over the width."""

import torch
from inplace_lsp.modelling import compute, ignores
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class Uniform(Distribution):
    """A distribution over an interval."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, low, high, validate_args=None):
        self.low = low
        self.high = high

    @property
    def mean(self):
        """Compute the middle."""
        return (self.high + self.low) / 2

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def rsample(self, sample_shape=()):
        """Scale noise and shift it."""
        return self.low + compute("sample", ()) * (self.high - self.low)

    @ignores("value", because="it is inside or not, through which no gradient flows")
    def log_prob(self, value):
        """Compute the logarithm of the density."""
        return compute("sample", ()) - torch.log(self.high - self.low)

    def entropy(self):
        """Compute the entropy."""
        return torch.log(self.high - self.low)
