"""Expanded tensors: op by op."""

import torch

row = torch.ones(1, 3)
wide = row.expand(4, 3)
wide.zero_()
wide.fill_(2)
wide.masked_fill_(torch.ones(4, 3, dtype=torch.bool), 1.0)
try:
    wide.add_(1)  # error: IP205
except RuntimeError as error:
    print(error)
try:
    wide.copy_(torch.rand(4, 3))  # error: IP205
except RuntimeError as error:
    print(error)
one_row = wide[0]
one_row.add_(1)
wide.clone().add_(1)
wide.contiguous().mul_(2)
