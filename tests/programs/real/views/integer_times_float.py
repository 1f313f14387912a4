"""Integers times a tensor that requires grad are no integers: exp needs its result."""

import torch

frequency = torch.randn(4, requires_grad=True)
phase = torch.arange(4) * frequency
decay = phase.exp()
decay += 1  # error: IP101
decay.sum().backward()
