"""torch.distributions.dirichlet: densities over vectors that sum to 1."""

import torch
from inplace_lsp.modelling import compute, ignores
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class Dirichlet(Distribution):
    """A distribution over vectors that sum to 1."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, concentration, validate_args=None):
        self.concentration = concentration

    @property
    def mean(self):
        """Divide by the sum."""
        return self.concentration / self.concentration.sum(-1, True)

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def rsample(self, sample_shape=()):
        """Draw vectors; their gradients are computed from them."""
        return compute("Dirichlet.rsample", self.concentration, saves=self.concentration, saves_result=True)

    def log_prob(self, value):
        """Compute the logarithm of the density."""
        powers = torch.xlogy(self.concentration - 1.0, value).sum(-1)
        return powers + torch.lgamma(self.concentration.sum(-1)) - torch.lgamma(self.concentration).sum(-1)

    def entropy(self):
        """Compute the entropy."""
        total = self.concentration.sum(-1)
        kept = (self.concentration - 1.0) * torch.digamma(self.concentration)
        return (
            torch.lgamma(self.concentration).sum(-1) - torch.lgamma(total) - total * torch.digamma(total) - kept.sum(-1)
        )
