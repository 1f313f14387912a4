"""Multiplication by a number saves the number: a second walk raises."""

import torch

x = torch.rand(3, requires_grad=True)
y = (x * 2).sum()
y.backward()
y.backward()  # error: IP103
