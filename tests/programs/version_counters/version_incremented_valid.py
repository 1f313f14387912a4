"""What a kernel of one's own writes, and says so, nobody has saved; of a leaf no more is asked than of another."""

import torch
from torch.autograd.graph import increment_version

w = torch.rand(3, requires_grad=True)
increment_version(w)
y = w * 2
increment_version([y, w])
z = y + 1
increment_version(z)
z.sum().backward()
