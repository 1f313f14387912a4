"""Views of an ordinary tensor made under inference mode, by ops that are one view and by composed ones."""

import torch

w = torch.rand(4, requires_grad=True)
y = w * 2
with torch.inference_mode():
    part, shaped = y[:2], y.reshape(2, 2)
    part.zero_()
try:
    part.add_(1)  # error: IP204
except RuntimeError as error:
    print(error)
try:
    shaped[0] = 1  # error: IP204
except RuntimeError as error:
    print(error)

with torch.inference_mode():
    columns = y.view(2, 2).narrow(1, 0, 1)
upper, lower = columns.split(1)
try:
    upper.add_(1)  # error: IP204
except RuntimeError as error:
    print(error)

with torch.inference_mode():
    plain = torch.rand(4)
try:
    torch.nn.functional.dropout(plain, 0.5, inplace=True)  # error: IP206
except RuntimeError as error:
    print(error)
