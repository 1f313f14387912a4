"""torchmetrics.utilities: states of metrics put together."""

import torch

DESCRIBES = "torchmetrics 1.0 to 1.9"


def dim_zero_cat(x):
    """Put a list of tensors into one."""
    return torch.cat(list(x), dim=0) if isinstance(x, (list, tuple)) else x


def dim_zero_mean(x):
    """Take the mean."""
    return torch.mean(x, dim=0)


def dim_zero_sum(x):
    """Take the sum."""
    return torch.sum(x, dim=0)
