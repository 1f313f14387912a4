"""torchvision.transforms.v2.functional: the same functions as of the first version."""

from torchvision.transforms.functional import center_crop, crop, erase, hflip, normalize, vflip

DESCRIBES = "torchvision 0.20 to 0.28"

horizontal_flip = hflip
vertical_flip = vflip
