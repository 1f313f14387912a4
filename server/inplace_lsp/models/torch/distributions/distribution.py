"""torch.distributions.distribution: what all distributions have in common."""

import torch
from inplace_lsp.modelling import compute, ignores

DESCRIBES = "torch 2.13"


class Distribution:
    """A distribution: `rsample` gives samples that gradients flow through, where there is one."""

    @ignores("batch_shape", "event_shape", "validate_args", because="the parameters of a distribution have its extent")
    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        pass

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def sample(self, sample_shape=()):
        """Draw values that carry no graph."""
        return compute("sample", ())

    def sample_n(self, n):
        """Draw values that carry no graph."""
        return self.sample((n,))

    @ignores("batch_shape", "_instance", because="the parameters stand for views of them")
    def expand(self, batch_shape, _instance=None):
        """Repeat the distribution."""
        return self

    @property
    def stddev(self):
        """Take the root of the variance."""
        return self.variance.sqrt()

    def perplexity(self):
        """Raise e to the entropy."""
        return torch.exp(self.entropy())
