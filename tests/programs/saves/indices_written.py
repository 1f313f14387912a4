"""The kept indices or conditions themselves are written."""

import torch

x = torch.rand(6, requires_grad=True)

best, which = x.topk(2)
which.zero_()  # error: IP101
best.sum().backward()

condition = torch.tensor([True, False, True, False, True, False])
chosen = torch.where(condition, x, x * 2)
condition.logical_not_()  # error: IP101
chosen.sum().backward()

rows = torch.tensor([0, 2, 4])
picked = x[rows]
rows.add_(1)  # error: IP101
picked.sum().backward()

places = torch.tensor([0, 2, 4])
picked = x.gather(0, places)
places.add_(1)  # error: IP101
picked.sum().backward()

mask = torch.zeros(6, dtype=torch.bool)
filled = x.masked_fill(mask, 0.0)
mask[0] = True  # error: IP101
filled.sum().backward()
