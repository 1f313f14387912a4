"""torch.distributions.multivariate_normal: the density solves with the root of the covariance."""

import torch
from inplace_lsp.modelling import compute, ignores
from torch.distributions.distribution import Distribution

DESCRIBES = "torch 2.13"


class MultivariateNormal(Distribution):
    """A normal distribution of vectors."""

    @ignores("validate_args", because="what raises ends the program")
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        self.loc = loc
        self.mean = loc
        if scale_tril is not None:
            self.scale_tril = scale_tril
        elif covariance_matrix is not None:
            self.scale_tril = torch.linalg.cholesky(covariance_matrix)
        else:
            root = torch.linalg.cholesky(torch.flip(precision_matrix, (-2, -1)))
            flipped = torch.transpose(torch.flip(root, (-2, -1)), -2, -1)
            self.scale_tril = torch.linalg.solve_triangular(flipped, torch.ones_like(root), upper=False)

    @property
    def covariance_matrix(self):
        """Square the root."""
        return torch.matmul(self.scale_tril, self.scale_tril.mT)

    @property
    def variance(self):
        """Square the root's rows."""
        return self.scale_tril.pow(2).sum(-1)

    @ignores("sample_shape", because="the extent of a sample says nothing of what it shares memory with")
    def rsample(self, sample_shape=()):
        """Scale noise and shift it."""
        return self.loc + torch.matmul(self.scale_tril, compute("sample", ())).squeeze(-1)

    def log_prob(self, value):
        """Compute the logarithm of the density."""
        solved = torch.linalg.solve_triangular(self.scale_tril, (value - self.loc).unsqueeze(-1), upper=False)
        return -0.5 * (1.8 + solved.pow(2).sum(-2).squeeze(-1)) - self._log_determinant()

    def entropy(self):
        """Compute the entropy."""
        return 1.4 + self._log_determinant()

    def _log_determinant(self):
        return self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
