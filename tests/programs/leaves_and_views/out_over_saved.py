"""out= writes what an op has saved."""

import torch

w = torch.rand(3, requires_grad=True)
buffer = torch.rand(3)
loss = (w * buffer).sum()
torch.add(torch.ones(3), 1, out=buffer)  # error: IP101
loss.backward()
