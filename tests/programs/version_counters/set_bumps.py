"""`set_` is seen by the version counter."""

import torch

x = torch.rand(3, requires_grad=True)
factor = torch.rand(3)
loss = (x * factor).sum()
factor.set_(torch.zeros(3))  # error: IP101
loss.backward()
