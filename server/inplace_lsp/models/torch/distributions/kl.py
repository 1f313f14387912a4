"""torch.distributions.kl: how far distributions are apart, for those that are often compared."""

from inplace_lsp.modelling import opaque
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.categorical import Categorical
from torch.distributions.independent import Independent
from torch.distributions.normal import Normal
from torch.distributions.one_hot_categorical import OneHotCategorical
from torch.nn.functional import softplus

DESCRIBES = "torch 2.13"


def kl_divergence(p, q):
    """Compute how far distributions are apart."""
    if isinstance(p, Normal):
        ratio = (p.scale / q.scale).pow(2)
        return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())
    if isinstance(p, (Categorical, OneHotCategorical)):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    if isinstance(p, Bernoulli):
        shared = softplus(-q.logits) - softplus(-p.logits)
        return p.probs * (shared + p.logits - q.logits) + (1 - p.probs) * shared
    if isinstance(p, Independent):
        return kl_divergence(p.base_dist, q.base_dist).sum(-1)
    return opaque(p, q)
