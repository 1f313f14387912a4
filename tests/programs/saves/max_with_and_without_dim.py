"""max over everything keeps input and result, over a dimension only the indices."""

import torch

x = torch.rand(3, 4, requires_grad=True)
h = x * 2
best = h.max(1).values
h.add_(1)
best.mul_(2)
best.sum().backward()

h = x * 2
best = h.max()
h.add_(1)  # error: IP101
best.backward()

h = x * 2
best = h.amax(1)
h.add_(1)  # error: IP101
best.sum().backward()
