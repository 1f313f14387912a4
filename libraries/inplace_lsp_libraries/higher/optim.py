"""higher.optim."""

from higher import _DifferentiableOptimizer, get_diff_optim

DESCRIBES = "higher 0.2"
