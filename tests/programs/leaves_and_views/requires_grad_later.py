"""requires_grad_() on a filled buffer makes it a leaf that may no longer be written."""

import torch

buffer = torch.zeros(3)
buffer[0] = 1
buffer.requires_grad_()
try:
    buffer[1] = 2  # error: IP202
except RuntimeError as error:
    print(error)
buffer.requires_grad_(False)
buffer[1] = 2
