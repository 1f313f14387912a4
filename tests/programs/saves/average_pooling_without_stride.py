"""Average pooling keeps its input; a stride that is not given, or None, is the size of the window."""

import torch
import torch.nn.functional as F
from torch import nn

x = torch.rand(1, 2, 8, 8, requires_grad=True)


def run(pool):
    y = x * 2
    z = pool(y)
    y.add_(1)  # error: IP101
    z.sum().backward()


for pool in (nn.AvgPool2d(2), nn.AvgPool2d(kernel_size=2), lambda y: F.avg_pool2d(y, 2, None)):
    try:
        run(pool)
    except RuntimeError as error:
        print(error)

net = nn.Sequential(nn.Conv2d(2, 3, 3), nn.AvgPool2d(kernel_size=2), nn.Sigmoid())
out = net(x)
out.mul_(2)  # error: IP101
try:
    out.sum().backward()
except RuntimeError as error:
    print(error)

w = torch.rand(1, 2, 8, requires_grad=True)
pooled = nn.AvgPool1d(2)(w * 2)
pooled.add_(1)
pooled.sum().backward()
