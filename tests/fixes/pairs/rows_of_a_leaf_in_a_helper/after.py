# safe: Run the loop on line 7 under `torch.no_grad()`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
def rescale(weight):
    with torch.no_grad():
        for row in weight:
            row.mul_(2)


lin = nn.Linear(4, 2)
rescale(lin.weight)
lin(x).sum().backward()
