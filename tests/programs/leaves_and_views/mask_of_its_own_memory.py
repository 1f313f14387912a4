"""An index that lies in the memory it chooses from."""

import torch
from torch import nn


def narrow(mask, scores):
    """Keep of the places in the mask only those with a high score."""
    high = scores[mask] > 0.5
    mask[mask] = high  # error: IP205
    return mask


def narrow_a_copy(mask, scores):
    chosen = mask.clone()
    chosen[mask] = scores[mask] > 0.5
    return chosen


class Order(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.register_buffer("order", torch.arange(count))

    def turn(self):
        self.order[self.order] = torch.arange(self.order.numel())  # error: IP205

    def turn_a_copy(self):
        self.order[self.order.clone()] = torch.arange(self.order.numel())
        self.order[torch.arange(2)] = 0

    def clear(self):
        mask = self.order > 1
        mask[mask] = False
        mask[mask.clone()] = mask[mask]
        return mask


scores = torch.rand(8, 9)
order = Order(4)
for run in (lambda: narrow(scores > 0.2, scores), order.turn):
    try:
        run()
    except RuntimeError as error:
        print(error)
narrow_a_copy(scores > 0.2, scores)
order.turn_a_copy()
order.clear()
