"""numpy.random: generators draw new arrays, and shuffle those that they are given."""

import numpy as np

from inplace_lsp.modelling import ignores

DESCRIBES = "numpy 1.24 to 2.4"

_CHANCE = "which numbers are drawn is chance"
_OTHERWISE = "how they are drawn is no matter of memory"


class Generator:
    """Draws numbers."""

    @ignores("bit_generator", because=_CHANCE)
    def __init__(self, bit_generator):
        pass

    def random(self, size=None, dtype=np.float64, out=None):
        """Draw floats below one."""
        return np.multiply(np.random.random(size), 1.0, out=out, dtype=dtype)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """Draw floats around zero."""
        return np.multiply(np.random.standard_normal(size), 1.0, out=out, dtype=dtype)

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Draw floats around `loc`."""
        return np.random.normal(loc, scale, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        """Draw floats between two."""
        return np.random.uniform(low, high, size)

    def exponential(self, scale=1.0, size=None):
        """Draw waiting times."""
        return np.random.exponential(scale, size)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Draw floats around `loc`, some far away."""
        return np.random.laplace(loc, scale, size)

    def beta(self, a, b, size=None):
        """Draw shares."""
        return np.random.beta(a, b, size)

    def gamma(self, shape, scale=1.0, size=None):
        """Draw positive floats."""
        return np.random.gamma(shape, scale, size)

    def poisson(self, lam=1.0, size=None):
        """Draw counts."""
        return np.random.poisson(lam, size)

    def binomial(self, n, p, size=None):
        """Draw counts of successes."""
        return np.random.binomial(n, p, size)

    @ignores("dtype", "endpoint", because=_OTHERWISE)
    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Draw integers."""
        return np.random.randint(low, high, size)

    @ignores("replace", "p", "axis", "shuffle", because=_OTHERWISE)
    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Draw some of `a`."""
        return np.random.choice(a, size)

    @ignores("axis", because=_OTHERWISE)
    def permutation(self, x, axis=0):
        """Return what is in `x` in another order."""
        return np.random.permutation(x)

    @ignores("axis", because=_OTHERWISE)
    def permuted(self, x, *, axis=None, out=None):
        """Return what is in `x` in another order, in `out` if it is given."""
        return np.multiply(x, 1, out=out)

    @ignores("axis", because=_OTHERWISE)
    def shuffle(self, x, axis=0):
        """Change the order in `x` itself."""
        np.random.shuffle(x)


class RandomState(Generator):
    """Draws numbers, as the functions of the module do."""

    @ignores("seed", because=_CHANCE)
    def __init__(self, seed=None):
        pass

    def rand(self, *args):
        """Draw floats below one."""
        return np.random.rand(*args)

    def randn(self, *args):
        """Draw floats around zero."""
        return np.random.randn(*args)

    def random(self, size=None):
        """Draw floats below one."""
        return np.random.random(size)

    def random_sample(self, size=None):
        """Draw floats below one."""
        return np.random.random(size)

    def standard_normal(self, size=None):
        """Draw floats around zero."""
        return np.random.standard_normal(size)

    @ignores("dtype", because=_OTHERWISE)
    def randint(self, low, high=None, size=None, dtype=int):
        """Draw integers."""
        return np.random.randint(low, high, size)

    @ignores("replace", "p", because=_OTHERWISE)
    def choice(self, a, size=None, replace=True, p=None):
        """Draw some of `a`."""
        return np.random.choice(a, size)

    def permutation(self, x):
        """Return what is in `x` in another order."""
        return np.random.permutation(x)

    def shuffle(self, x):
        """Change the order in `x` itself."""
        np.random.shuffle(x)


@ignores("seed", because=_CHANCE)
def default_rng(seed=None):
    """Return a new generator."""
    return Generator(None)
