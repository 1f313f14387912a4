"""Writing an element of a leaf does not give a wrong gradient: torch refuses it at once."""

import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
doubled = x * 2
x[0] = 7.0  # error: IP202
doubled.sum().backward()
