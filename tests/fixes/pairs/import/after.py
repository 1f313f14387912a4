# safe: Write under `torch.no_grad()`
import torch
from torch import rand
x = rand(4, requires_grad=True)
x.sum().backward()
with torch.no_grad():
    x -= x.grad
