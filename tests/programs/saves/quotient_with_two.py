"""A divisor is kept always, the dividend if the divisor needs a gradient."""

import torch

w = torch.rand(3, requires_grad=True)
above, below = w + 1, w + 2
ratio = above / below
above.add_(1)  # error: IP101
ratio.sum().backward()

above, below = w + 1, w + 2
ratio = above / below
below.add_(1)  # error: IP101
ratio.sum().backward()

above, below = w + 1, torch.rand(3)
ratio = above / below
below.add_(1)  # error: IP101
ratio.sum().backward()
