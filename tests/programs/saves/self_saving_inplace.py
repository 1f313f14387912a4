"""An in-place op that keeps its own result is not hit by its own write, but by the next one."""

import torch

w = torch.rand(4, requires_grad=True)
x = w * 2
x.exp_()
x.sum().backward()

x = w * 2
x.sigmoid_()
x.mul_(2)  # error: IP101
x.sum().backward()

x = w * 2
x.mul_(w)
x.add_(1)
x.sum().backward()
