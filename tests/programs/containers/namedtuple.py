"""A named tuple of tensors."""

from typing import NamedTuple

import torch


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


x = torch.rand(3, requires_grad=True)
pair = Pair(x.exp(), x * 2)
pair.right.add_(1)
pair.left.add_(1)  # error: IP101
(pair.left.sum() + pair.right.sum()).backward()
