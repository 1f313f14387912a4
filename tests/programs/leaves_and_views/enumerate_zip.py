"""Rows through enumerate and zip."""

import torch

x = torch.rand(2, 3, requires_grad=True)
y = x * 2
try:
    for at, row in enumerate(y):
        row += at  # error: IP203
except RuntimeError as error:
    print(error)
try:
    for part, two in zip(y, torch.zeros(2, 3)):
        two.add_(1)
        part.add_(two)  # error: IP203
except RuntimeError as error:
    print(error)
rows = [row.clone() for row in y]
for row in rows:
    row += 1
torch.stack(rows).sum().backward()
