"""What kornia makes of an image may be written; the image itself was kept by the gamma correction and by rotating."""

import kornia
import torch
from torch import nn

net = nn.Conv2d(3, 3, 1)
image = net(torch.rand(2, 3, 6, 6)).abs()
brighter = kornia.enhance.adjust_brightness(image, 0.1)
brighter += 0.1
gray = kornia.color.rgb_to_grayscale(image)
gray -= 0.5
turned = kornia.geometry.transform.rotate(image, torch.tensor([10.0, 20.0]))
turned.mul_(2)
image.clamp_(0.01, 1)  # error: IP101
(brighter.mean() + gray.mean() + turned.mean() + image.mean()).backward()
