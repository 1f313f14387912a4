"""einops.layers.torch: the functions of einops as modules."""

import torch
from einops import rearrange, reduce
from inplace_lsp.modelling import compute, ignores
from torch import nn

DESCRIBES = "einops 0.8"


class Rearrange(nn.Module):
    """`rearrange` as a layer."""

    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def forward(self, input):
        """Put the axes in another order."""
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(nn.Module):
    """`reduce` as a layer."""

    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def forward(self, input):
        """Reduce the axes that the right side does not name."""
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)


class EinMix(nn.Module):
    """A linear layer over the axes that a pattern names."""

    @ignores("pattern", "weight_shape", "axes_lengths", because="whatever they are, input and weight are multiplied")
    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(()))
        self.bias = nn.Parameter(torch.empty(())) if bias_shape else None

    def forward(self, input):
        """Multiply the input with the weight."""
        result = compute("einsum", (input, self.weight), saves=(input, self.weight))
        if self.bias is not None:
            result += self.bias
        return result
