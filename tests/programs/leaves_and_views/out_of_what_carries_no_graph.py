"""`out=` of ops that give indices and comparisons: what they compute carries no graph, whatever they are given."""

import torch

y = torch.rand(3, 4, requires_grad=True).exp()
found = torch.empty(0, dtype=torch.long)
torch.nonzero(y, out=found)
torch.nonzero(input=y, out=found)
torch.argmax(y, 1, out=torch.empty(3, dtype=torch.long))
torch.eq(y, 0, out=torch.empty(3, 4, dtype=torch.bool))
larger = torch.empty(3, 4, dtype=torch.bool)
torch.gt(y, y.mean(), out=larger)
torch.bucketize(y, torch.tensor([0.5]), out=torch.empty(3, 4, dtype=torch.long))
y[larger].sum().backward()

y = torch.rand(3, 4, requires_grad=True).exp()
try:
    torch.sort(y, out=(torch.empty(3, 4), torch.empty(3, 4, dtype=torch.long)))  # error: IP207
except RuntimeError as error:
    print(error)
try:
    torch.floor(y, out=torch.empty(3, 4))  # error: IP207
except RuntimeError as error:
    print(error)
try:
    torch.argsort(y, stable=True, out=torch.empty(3, 4, dtype=torch.long))  # error: IP207
except RuntimeError as error:
    print(error)
written = torch.rand(3, 4)
square = torch.rand(3, 4, requires_grad=True) * written
torch.gt(y, 0.5, out=written)  # error: IP101
square.sum().backward()
