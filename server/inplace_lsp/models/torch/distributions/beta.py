"""torch.distributions.beta: a Dirichlet of two."""

import torch
from inplace_lsp.modelling import ignores
from torch.distributions.dirichlet import Dirichlet
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class Beta(Distribution):
    """A distribution over numbers between 0 and 1."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, concentration1, concentration0, validate_args=None):
        self._dirichlet = Dirichlet(torch.stack([concentration1, concentration0], -1))

    @property
    def concentration1(self):
        """Give the first parameter."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self):
        """Give the second parameter."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self):
        """Divide the first parameter by the sum."""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    def rsample(self, sample_shape=()):
        """Draw numbers; their gradients are computed from them."""
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        """Compute the logarithm of the density."""
        return self._dirichlet.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self):
        """Compute the entropy."""
        return self._dirichlet.entropy()
