"""Losses of a library: whoever trains calls them."""

import torch


def focal_loss(logits, target, gamma=2.0):
    p = torch.sigmoid(logits)
    p.clamp_(1e-6, 1 - 1e-6)  # error: IP101
    return -((1 - p) ** gamma * target * p.log()).mean()


def dice_loss(logits, target):
    p = torch.sigmoid(logits)
    p = p.clamp(1e-6, 1 - 1e-6)
    weight = torch.ones_like(target)
    weight[target > 0] = 2
    weight /= weight.norm()
    return 1 - (weight * p * target).sum() / (p + target).sum()


class SmoothnessPenalty:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, field):
        difference = field[1:] - field[:-1]
        length = difference.norm(dim=-1)
        length += 1e-6  # error: IP101
        return self.weight * length.mean()
