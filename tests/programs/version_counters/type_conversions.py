"""Conversions that copy and those that return the object itself."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.to(torch.float64).zero_()
y.half().zero_()
y.to(torch.float32, copy=True).zero_()
y.type(torch.float64).zero_()
y.sum().backward()

y = x.exp()
y.type_as(x).zero_()  # error: IP101
y.sum().backward()

y = x.exp()
y.to("cpu").zero_()  # error: IP101
y.sum().backward()

wide = torch.rand(3, dtype=torch.float64)
scaled = x.to(wide.dtype)
scaled += 1
(scaled * wide).sum().backward()

phases = torch.rand(3, dtype=torch.cfloat)
turned = x.to(phases.dtype)
turned *= phases
turned.abs().sum().backward()

narrow = torch.rand(3)
try:
    scaled = x.to(narrow.dtype)
    scaled += 1  # error: IP201
except RuntimeError as error:
    print(error)
