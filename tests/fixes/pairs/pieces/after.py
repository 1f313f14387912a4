# unsafe: Copy the pieces on line 6 (what they are pieces of does not see the write)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
parts = [piece.clone() for piece in (x * 2).unbind()]
parts[0].mul_(2)
torch.stack(parts).sum().backward()
