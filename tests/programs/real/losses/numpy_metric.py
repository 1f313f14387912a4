"""A numpy view of the detached output is thresholded in place: the gradient is silently wrong."""

import numpy as np
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
out = net(torch.randn(8, 3))
loss = out.pow(2).mean()
arr = out.detach().cpu().numpy()
arr[np.abs(arr) < 0.5] = 0  # error: IP301
print(arr.mean())
loss.backward()
