# safe: Write lines 10 to 11 under `torch.no_grad()`
import torch
from torch import nn

torch.manual_seed(0)
import copy

net = nn.Linear(3, 2)
slow = copy.deepcopy(net)
for s, p in zip(slow.parameters(), net.parameters()):
    with torch.no_grad():
        s.mul_(0.9)
        s.add_(p, alpha=0.1)  # ten percent
