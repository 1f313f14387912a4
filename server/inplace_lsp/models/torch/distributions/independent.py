"""torch.distributions.independent: dimensions of a batch become dimensions of an event."""

from inplace_lsp.modelling import ignores
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class Independent(Distribution):
    """A distribution whose densities are summed over the last dimensions."""

    @ignores("reinterpreted_batch_ndims", because="a sum keeps nothing, over however many dimensions")
    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist = base_distribution

    @property
    def mean(self):
        """Give that of the distribution below."""
        return self.base_dist.mean

    @property
    def mode(self):
        """Give that of the distribution below."""
        return self.base_dist.mode

    @property
    def variance(self):
        """Give that of the distribution below."""
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        """Draw values that carry no graph."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        """Draw values that gradients flow through."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """Sum the logarithms of the densities."""
        return self.base_dist.log_prob(value).sum(-1)

    def entropy(self):
        """Sum the entropies."""
        return self.base_dist.entropy().sum(-1)
