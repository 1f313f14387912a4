"""AugmentationSequential, geometry and morphology: all fresh results."""

import kornia as K
import torch
from kornia.augmentation import AugmentationSequential, ColorJitter, RandomAffine
from torch import nn

aug = AugmentationSequential(
    RandomAffine(degrees=10.0, p=1.0), ColorJitter(0.1, 0.1, 0.1, 0.1, p=1.0), data_keys=["input"]
)
net = nn.Sequential(nn.Conv2d(3, 3, 3, padding=1), nn.Sigmoid())
img = net(torch.rand(2, 3, 8, 8))
out = aug(img)
out += 0.1
warped = K.geometry.transform.rotate(img, torch.tensor([10.0, 20.0]))
warped.clamp_(0, 1)
hsv = K.color.rgb_to_hsv(img)
hsv *= 2
gray = K.color.rgb_to_grayscale(img)
gray -= 0.5
(out.mean() + warped.mean() + hsv.mean() + gray.mean() + K.losses.total_variation(img).mean()).backward()
