"""The chosen elements of a mask are chosen once more: the mask is its own index."""

import torch

weight = torch.rand(4, requires_grad=True)
chosen = torch.tensor([0, 1, 1, 0]) == 1
chosen[chosen] = torch.tensor([True, False])  # error: IP205
(weight * 2)[chosen].sum().backward()
