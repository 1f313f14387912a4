"""detach() shares memory: the metric's in-place rounding is seen by the loss."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid())
x, y = torch.randn(8, 3), torch.randint(0, 2, (8, 4)).float()
probs = net(x)
loss = nn.functional.binary_cross_entropy(probs, y)
rounded = probs.detach().round_()  # error: IP101
print((rounded == y).float().mean())
loss.backward()
