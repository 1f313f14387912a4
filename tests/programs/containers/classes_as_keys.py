import torch
from torch import nn

PLAIN = {nn.ReLU: torch.relu, nn.Tanh: torch.tanh, nn.Softplus: nn.functional.softplus}

w = torch.rand(3, requires_grad=True)
a, b = PLAIN[nn.Tanh](w), PLAIN[nn.Softplus](w)
a.mul_(2)  # error: IP101
b.mul_(2)
if nn.ReLU in PLAIN and nn.GELU not in PLAIN:
    c = PLAIN[nn.ReLU](w)
    c.mul_(2)  # error: IP101
(a + b + c).sum().backward()
