"""Convolution keeps input and weight, in training a residual after it is fine."""

import torch
from torch import nn

conv = nn.Conv2d(1, 2, 3, padding=1)
x = torch.rand(1, 1, 4, 4)
h = conv(x)
h += 1
h.sum().backward()

image = torch.rand(1, 1, 4, 4)
out = conv(image)
image[0, 0] = 0  # error: IP101
out.sum().backward()
