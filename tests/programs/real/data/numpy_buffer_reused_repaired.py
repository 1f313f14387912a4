"""The batch tensor is a copy."""

import numpy as np
import torch
from torch import nn

obs_buf = np.zeros((5, 3), dtype=np.float32)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    obs_buf[:] = np.random.randn(5, 3)
    obs = torch.tensor(obs_buf)
    loss = net(obs).pow(2).mean()
    obs_buf[0] = 0.0
    opt.zero_grad()
    loss.backward()
    opt.step()
