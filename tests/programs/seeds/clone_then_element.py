"""The clone may be written."""

import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
doubled = x * 2
other = x.clone()
other[0] = 7.0
(other * 1 + doubled).sum().backward()
print(x.grad)
