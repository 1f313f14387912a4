"""torchvision.transforms: the first version of the transforms, which do to tensors what those of v2 do."""

from torchvision.transforms.v2 import *

DESCRIBES = "torchvision 0.20 to 0.28"
