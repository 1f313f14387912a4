"""A convolution that pads by reflection pads first, which saves the input; a circular padding saves nothing."""

import torch
from torch import nn

pre = nn.Conv2d(3, 3, 1)

reflecting = nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect")
h = pre(torch.randn(1, 3, 6, 6))
out = reflecting(h)
h.add_(1)  # error: IP101
out.sum().backward()

circular = nn.Conv2d(3, 4, 3, padding=1, padding_mode="circular")
h = pre(torch.randn(1, 3, 6, 6))
out = circular(h)
h.add_(1)
out.sum().backward()

h = pre(torch.randn(1, 3, 6, 6))
out = circular(h)
with torch.no_grad():
    circular.weight.mul_(2)  # error: IP101
out.sum().backward()
