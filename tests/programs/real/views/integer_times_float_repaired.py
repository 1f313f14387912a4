"""The sum is a new tensor."""

import torch

frequency = torch.randn(4, requires_grad=True)
phase = torch.arange(4) * frequency
decay = phase.exp()
decay = decay + 1
decay.sum().backward()
