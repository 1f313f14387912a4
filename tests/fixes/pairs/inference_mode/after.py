# safe: Use `torch.no_grad` instead of inference mode on line 6
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
with torch.no_grad():
    k = torch.rand(4) + 1
(x * k).sum().backward()
