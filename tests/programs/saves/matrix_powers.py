"""Powers of a matrix are products, which keep it; a negative power keeps the inverse."""

import torch

lin = torch.nn.Linear(4, 4)

a = lin(torch.randn(4, 4))
squared = torch.matrix_power(a, 2)
a.add_(1)  # error: IP101
squared.sum().backward()

a = lin(torch.randn(4, 4))
cubed = a.matrix_power(3)
cubed.add_(1)
cubed.sum().backward()

a = lin(torch.randn(4, 4))
inverse = torch.linalg.matrix_power(a, -1)
a.add_(1)
inverse.mul_(2)  # error: IP101
inverse.sum().backward()
