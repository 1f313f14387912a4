import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
parts = (x * 2).unbind()
parts[0].mul_(2)
torch.stack(parts).sum().backward()
