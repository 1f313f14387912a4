"""torch.distributions.categorical: probabilities are divided by their sum, scores lose their logsumexp."""

from functools import cached_property

import torch
from inplace_lsp.modelling import compute, ignores, is_true
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class Categorical(Distribution):
    """A distribution over numbers, given probabilities or scores."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._drawn = None
        if logits is None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)

    @cached_property
    def logits(self):
        """Take the logarithm of the probabilities."""
        with torch.enable_grad():
            return torch.log(self.probs.clamp(1e-7, 1.0))

    @cached_property
    def probs(self):
        """Turn the scores into probabilities."""
        with torch.enable_grad():
            return torch.softmax(self.logits, dim=-1)

    @property
    def mode(self):
        """Choose the likeliest."""
        return self.probs.argmax(dim=-1)

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def sample(self, sample_shape=()):
        """Draw numbers."""
        self._drawn = compute("sample", ()).long()
        return self._drawn

    def log_prob(self, value):
        """Pick the logarithms of the probabilities of what was drawn."""
        index = value if is_true(value is self._drawn) else value.long()  # what is drawn is of that type already
        return self.logits.gather(-1, index.unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        """Compute the entropy."""
        return -(torch.clamp(self.logits, min=-1e38) * self.probs).sum(-1)
