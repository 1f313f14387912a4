"""torchvision.ops: its blocks of layers and a loss. What is not here is an unknown function of its arguments."""

import torch
from inplace_lsp.modelling import ignores
from torch import nn
from torch.nn import functional
from torchvision.ops.misc import (
    MLP as MLP,
    Conv2dNormActivation as Conv2dNormActivation,
    Conv3dNormActivation as Conv3dNormActivation,
    FrozenBatchNorm2d as FrozenBatchNorm2d,
    Permute as Permute,
    SqueezeExcitation as SqueezeExcitation,
)

DESCRIBES = "torchvision 0.20 to 0.28"


@ignores("mode", because="which elements are dropped does not matter")
def stochastic_depth(input, p, mode, training=True):
    """Drop some elements of the batch."""
    if not training or p == 0.0:
        return input
    return input * torch.empty(())


class StochasticDepth(nn.Module):
    """Drops some elements of the batch in training."""

    def __init__(self, p, mode):
        super().__init__()
        self.p = p
        self.mode = mode

    def forward(self, input):
        """Drop some elements of the batch."""
        return stochastic_depth(input, self.p, self.mode, self.training)


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    """Weigh a cross entropy by how sure the prediction is."""
    likely = torch.sigmoid(inputs)
    missed = likely + targets * (1 - 2 * likely)
    loss = functional.binary_cross_entropy_with_logits(inputs, targets, reduction="none") * missed**gamma
    if alpha >= 0:
        loss = (targets * (2 * alpha - 1) + (1 - alpha)) * loss
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss
