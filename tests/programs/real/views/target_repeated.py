"""A target expanded to the batch is corrupted in place."""

import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 3)
pred = net(torch.randn(5, 4))
proto = torch.tensor([0.2, 0.3, 0.5])
target = proto.unsqueeze(0).expand_as(pred)
target += 0.01 * torch.randn(5, 3)  # error: IP205
F.mse_loss(pred, target).backward()
