"""What is added through .data carries a graph of its own: its gradient is lost."""

import torch

first, second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = first(x)
y.data += second(x)  # error: IP301
y.sum().backward()

y = first(x)
y.data += second(x).detach()
y.sum().backward()

y = first(x)
with torch.no_grad():
    y.data += second(x)
y.sum().backward()
