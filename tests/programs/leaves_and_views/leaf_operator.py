"""The functions of `operator` are the statements they stand for."""

import operator

import torch

w = torch.rand(3, requires_grad=True)
h = w * 2
operator.iadd(h, 1)
h.sum().backward()
operator.imul(w, 2)  # error: IP201
