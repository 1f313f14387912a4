"""Everything that uses the result was computed before the write, and saved nothing: harmless."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = layer(x)
loss = y.sum()
y.data.zero_()
loss.backward()

y = layer(x)
loss = y.sum()
y.data.zero_()  # error: IP301
loss = loss + y.mean()
loss.backward()
