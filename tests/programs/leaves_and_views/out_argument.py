"""out= and gradients."""

import torch

a = torch.rand(3, requires_grad=True)
plain, target = torch.rand(3), torch.empty(3)
torch.add(plain, 1, out=target)
with torch.no_grad():
    torch.exp(a, out=target)
    torch.exp(plain, out=target)
try:
    torch.exp(a, out=target)  # error: IP207
except RuntimeError as error:
    print(error)
try:
    torch.add(plain, 1, out=a)  # error: IP207
except RuntimeError as error:
    print(error)
torch.matmul(a, plain, out=torch.empty(()))  # error: IP207
