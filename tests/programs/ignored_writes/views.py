"""Parts of a result written through .data, and which parts are used."""

import torch

layer = torch.nn.Linear(4, 3)
x = torch.rand(2, 4)

y = layer(x)
y[0].data.mul_(2)  # error: IP301
y.sum().backward()

y = layer(x)
y.data[:, 1] = y.data[:, 1] * 2  # error: IP301
y.sum().backward()

y = layer(x)
y.data[1].zero_()  # error: IP301
y[1].sum().backward()

y = layer(x)
row = y[0]
y.data *= 2  # error: IP301
row.sum().backward()

y = torch.add(layer(x), torch.zeros(2, 3))
other = y[1]
y[0].data.mul_(2)
other.sum().backward()

y = torch.add(layer(x), torch.zeros(2, 3))
y.data[0] *= 2
y[1].sum().backward()
