"""Under autocast a matmul keeps casts of its operands: the originals may be written."""

import torch

w = torch.rand(3, 3, requires_grad=True)
x = torch.rand(2, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = x @ w
x.zero_()
out.float().sum().backward()

x = torch.rand(2, 3)
out = x @ w
x.zero_()  # error: IP101
out.sum().backward()
