"""A view cannot be detached in place: torch refuses, and what was saved keeps its history."""

import torch

w = torch.rand(3, 3, requires_grad=True)
h = w * 2
part = h[0]
y = part.exp() + part * part
try:
    part.detach_()  # error: IP203
except RuntimeError as error:
    print(error)
y.sum().backward()

product = torch.einsum("ij,jk->ik", w, w)
z = product * product
try:
    product.detach_()  # error: IP203
except RuntimeError as error:
    print(error)
z.sum().backward()

outer = torch.einsum("ij,ij->ij", w, w)
z = outer * outer
outer.detach_()  # error: IP101
z.sum().backward()
