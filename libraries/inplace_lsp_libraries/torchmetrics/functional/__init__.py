"""torchmetrics.functional: metrics as functions, of which some keep what they compare."""

import torch

DESCRIBES = "torchmetrics 1.0 to 1.9"


def cosine_similarity(preds, target, reduction="sum"):
    """Compare the directions of both."""
    value = (preds * target).sum(dim=-1) / (preds.norm(dim=-1) * target.norm(dim=-1))
    return value.mean() if reduction == "mean" else value.sum() if reduction == "sum" else value


def pairwise_cosine_similarity(x, y=None, reduction=None, zero_diagonal=None):
    """Compare the directions of all rows."""
    other = x if y is None else y
    x = x / torch.norm(x, p=2, dim=1).unsqueeze(1)
    other = other / torch.norm(other, p=2, dim=1).unsqueeze(1)
    distance = x @ other.T
    if zero_diagonal or (zero_diagonal is None and y is None):
        distance.fill_diagonal_(0)
    return _reduce_distance(distance, reduction)


def pairwise_euclidean_distance(x, y=None, reduction=None, zero_diagonal=None):
    """Compare all rows."""
    other = x if y is None else y
    distance = (x * x).sum(dim=1, keepdim=True) + (other * other).sum(dim=1) - 2 * x.mm(other.T)
    if zero_diagonal or (zero_diagonal is None and y is None):
        distance.fill_diagonal_(0)
    return _reduce_distance(distance.sqrt(), reduction)


def _reduce_distance(distance, reduction):
    return distance.mean(-1) if reduction == "mean" else distance.sum(-1) if reduction == "sum" else distance


def mean_squared_error(preds, target, squared=True, num_outputs=1):
    """Take the mean of the squared differences."""
    difference = preds - target
    value = (difference * difference).sum() / num_outputs
    return value if squared else value.sqrt()


def mean_absolute_error(preds, target, num_outputs=1):
    """Take the mean of the differences."""
    return (preds - target).abs().sum() / num_outputs
