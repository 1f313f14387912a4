"""Scores masked through .data before a softmax: the gradient there is zero anyway. Zeros are another matter."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)
mask = torch.tensor([[True, False, False], [False, True, False]])

scores = layer(x)
scores.data.masked_fill_(mask, -float("inf"))
scores.softmax(1)[:, 2].sum().backward()

scores = layer(x)
scores.data[mask] = -1e9
scores.softmax(1)[:, 2].sum().backward()

scores = layer(x)
scores.data[:, 0] = float("-inf")
scores.softmax(1)[:, 2].sum().backward()

scores = layer(x)
scores.data.masked_fill_(mask, -10000)
scores.softmax(1)[:, 2].sum().backward()

values = layer(x)
values.data.masked_fill_(mask, 0.0)  # error: IP301
values.sum().backward()

values = layer(x)
values.data[mask] = 0.0  # error: IP301
values.sum().backward()
