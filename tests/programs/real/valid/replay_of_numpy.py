"""numpy arrays made from outputs are copied before they are written."""

import numpy as np
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
out = net(torch.randn(4, 3))
arr = out.detach().numpy() * 2
arr[0] = 0
arr2 = np.array(out.detach())
arr2 += 1
targets = torch.from_numpy(arr2)
targets[0] = 0.5
loss = (out - targets).pow(2).mean()
loss.backward()
arr3 = out.detach().numpy()
arr3 += 1
