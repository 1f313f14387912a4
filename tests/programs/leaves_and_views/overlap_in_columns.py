"""Results in the order of columns: pieces of rows are no dense memory, and torch looks no further."""

import torch

rows = torch.randn(4, 3)
columns = torch.randn(3, 4).t()
mixed = rows * columns
mixed[:, 1:] += mixed[:, :-1]
same = columns + columns.exp()
same[:, 1:] += mixed[:, :-1]
row = torch.randn(4).unsqueeze(1)
spread = columns * row
spread[:, 1:] += spread[:, :-1]  # error: IP205
