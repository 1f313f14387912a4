"""A silent write beside the rows that were saved changes no gradient."""

import torch

x = torch.rand(4, 3, requires_grad=True)
h = x * 2
first, _, third, _ = h.unbind(0)
y = third * third
array = h.detach().numpy()
array[0] = 5.5
h.data[1] = 7
y.sum().backward()

h = x * 2
first, _, third, _ = h.unbind(0)
y = third * third
h.detach().numpy()[1:, 0] = 5.5  # error: IP301
y.sum().backward()
