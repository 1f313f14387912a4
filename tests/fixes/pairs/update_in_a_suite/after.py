# safe: Write under `torch.no_grad()`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
x.sum().backward()
if True:
    with torch.no_grad():
        x -= x.grad  # step
