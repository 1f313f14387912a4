# safe: Write lines 7 to 8 under `torch.no_grad()`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
w = torch.rand(4, requires_grad=True)
with torch.no_grad():
    x.zero_()
    w[0] = 1.0
(w * x).sum().backward()
