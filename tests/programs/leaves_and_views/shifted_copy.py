"""A part is computed from an overlapping part of the same memory."""

import torch

x = torch.arange(6.0)
x[:3] += x[3:]
try:
    x[1:] += x[:-1]  # error: IP205
except RuntimeError as error:
    print(error)
try:
    x[:-1].mul_(x[1:])  # error: IP205
except RuntimeError as error:
    print(error)
x[1:] = x[:-1].clone()
x[1:] += x[:-1].clone()
