import torch
from torch import nn

torch.manual_seed(0)
import copy

net = nn.Linear(3, 2)
slow = copy.deepcopy(net)
for s, p in zip(slow.parameters(), net.parameters()):
    s.mul_(0.9)
    s.add_(p, alpha=0.1)  # ten percent
