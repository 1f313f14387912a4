"""A gradient that is kept by a graph, then accumulated into by the next backward."""

import torch

w = torch.rand(3, requires_grad=True)
v = torch.rand(3, requires_grad=True)
(w**2).sum().backward()
meta = (v * w.grad).sum()
(w**3).sum().backward()  # error: IP101
meta.backward()
