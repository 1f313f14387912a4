"""Matrix products keep each factor whose partner needs a gradient."""

import torch

w = torch.rand(3, 3, requires_grad=True)
data = torch.rand(2, 3)
out = data @ w
data.zero_()  # error: IP101
out.sum().backward()

frozen = torch.rand(3, 3)
h = w * 2
out = h @ frozen
h.zero_()
out.sum().backward()

h = w * 2
out = h @ frozen
frozen.zero_()  # error: IP101
out.sum().backward()

batch = torch.rand(4, 3, 3, requires_grad=True)
left = batch * 2
out = torch.bmm(left, batch)
left.add_(1)  # error: IP101
out.sum().backward()
