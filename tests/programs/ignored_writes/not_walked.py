"""Nothing walks what was computed with the new values: under no_grad, detached, logged, or replaced."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = layer(x)
loss = y.sum()
y.data *= 3
with torch.no_grad():
    shown = y.mean()
print((y.detach() ** 2).sum(), shown)
loss.backward()

y = layer(x)
y.data *= 3
y = layer(x)
y.sum().backward()

y = layer(x)
y.data.fill_(1.0)
print((y * 2).sum())

y = layer(x).detach()
y.data *= 3
(layer(y)).sum().backward()

with torch.no_grad():
    y = layer(x)
y.data *= 3
layer(y).sum().backward()
