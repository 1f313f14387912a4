"""torchvision.ops.misc: where torchvision keeps the blocks of layers."""

from torchvision.ops import (
    MLP,
    Conv2dNormActivation,
    Conv3dNormActivation,
    ConvNormActivation,
    FrozenBatchNorm2d,
    Permute,
    SqueezeExcitation,
)

DESCRIBES = "torchvision 0.20 to 0.28"
