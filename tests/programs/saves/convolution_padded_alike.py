"""A convolution that pads both sides alike keeps its input; kernels of even size pad a copy, unless they are dilated evenly."""

import torch
import torch.nn.functional as F

pre = torch.nn.Conv2d(3, 3, 1)
same = torch.nn.Conv2d(3, 4, 3, padding="same")

h = pre(torch.randn(1, 3, 6, 6))
out = same(h)
h.add_(1)  # error: IP101
out.sum().backward()

h = pre(torch.randn(1, 3, 6, 6))
out = F.conv2d(h, torch.randn(4, 3, 3, 3), padding="same", dilation=2)
h.relu_()  # error: IP101
out.sum().backward()

h = pre(torch.randn(1, 3, 6, 6))
out = F.conv2d(h, torch.randn(4, 3, 3, 3), padding="valid")
out.add_(1)
out.sum().backward()

even = torch.nn.Conv2d(3, 4, 4, padding="same")
h = pre(torch.randn(1, 3, 6, 6))
out = even(h)
h.add_(1)
out.sum().backward()

h = pre(torch.randn(1, 3, 6, 6))
out = F.conv2d(h, torch.randn(4, 3, 3, 2), padding="same")
h.relu_()
out.sum().backward()

far = torch.nn.Conv2d(3, 4, 4, padding="same", dilation=2)
h = pre(torch.randn(1, 3, 6, 6))
out = far(h)
h.add_(1)  # error: IP101
out.sum().backward()
