# safe: Write out of place: `y = y + 1`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
if True: y = y + 1
y.sum().backward()
