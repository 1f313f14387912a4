"""The first line of the statement counts."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(  # error: IP101
    torch.tensor(
        1.0,
    )
)
z = (  # error: IP101
    y.mul_(2)
)
z.sum().backward()
