"""Index writes into a buffer: the value is not kept, the indices are."""

import torch

w = torch.rand(2, requires_grad=True)
buffer = torch.zeros(4)
places = torch.tensor([0, 2])
value = w * 3
buffer[places] = value
value.zero_()
buffer.add_(1)
buffer.sum().backward()

buffer = torch.zeros(4)
places = torch.tensor([0, 2])
buffer[places] = w * 3
places.add_(1)  # error: IP101
buffer.sum().backward()
