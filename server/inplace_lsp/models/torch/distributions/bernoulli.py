"""torch.distributions.bernoulli: the density is the binary cross entropy of the scores."""

from functools import cached_property

import torch
from inplace_lsp.modelling import ignores
from torch.distributions.distribution import Distribution
from torch.nn.functional import binary_cross_entropy_with_logits

DESCRIBES = "torch 2.13"


class Bernoulli(Distribution):
    """A distribution over 0 and 1, given probabilities or scores."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, probs=None, logits=None, validate_args=None):
        if logits is None:
            self.probs = probs
        else:
            self.logits = logits

    @cached_property
    def logits(self):
        """Turn the probabilities into scores."""
        with torch.enable_grad():
            kept = self.probs.clamp(1e-7, 1.0)
            return torch.log(kept) - torch.log1p(-kept)

    @cached_property
    def probs(self):
        """Turn the scores into probabilities."""
        with torch.enable_grad():
            return torch.sigmoid(self.logits)

    @property
    def mean(self):
        """Give the probabilities."""
        return self.probs

    @property
    def variance(self):
        """Compute the variance."""
        return self.probs * (1 - self.probs)

    def log_prob(self, value):
        """Compute the logarithm of the probability of what was drawn."""
        return -binary_cross_entropy_with_logits(self.logits, value, reduction="none")

    def entropy(self):
        """Compute the entropy."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
