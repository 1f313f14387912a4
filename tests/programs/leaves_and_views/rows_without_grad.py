"""Rows of a buffer without grad: numbers may be written, values that need a gradient may not."""

import torch

w = torch.rand(2, requires_grad=True)
buffer = torch.zeros(3, 2)
for row in buffer:
    row.fill_(1)
    row += 2
for row in buffer:
    row += w  # error: IP203
