"""torch.distributions.one_hot_categorical: a Categorical whose samples are vectors of one 1."""

from inplace_lsp.modelling import compute, ignores
from torch.distributions.categorical import Categorical
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class OneHotCategorical(Distribution):
    """A distribution over vectors of one 1."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)

    @property
    def probs(self):
        """Give the probabilities."""
        return self._categorical.probs

    @property
    def logits(self):
        """Give their logarithms."""
        return self._categorical.logits

    @property
    def mean(self):
        """Give the probabilities."""
        return self._categorical.probs

    def log_prob(self, value):
        """Pick the logarithms of the probabilities of what was drawn."""
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        """Compute the entropy."""
        return self._categorical.entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """One whose samples hand gradients on to the probabilities."""

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def rsample(self, sample_shape=()):
        """Draw vectors; their gradients are those of the probabilities."""
        return compute("sample", ()) + (self.probs - self.probs.detach())
