"""`resize_` to the same shape moves no version, to another it does."""

import torch

w = torch.rand(4, requires_grad=True)
factor = torch.rand(4)
loss = (w * factor).sum()
factor.resize_(4)
loss.backward()

factor = torch.rand(4)
loss = (w * factor).sum()
factor.resize_(2, 2)  # error: IP101
loss.backward()
