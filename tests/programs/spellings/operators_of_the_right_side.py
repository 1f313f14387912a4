"""A tensor leaves an operator to the object on its right, if that has one."""

import torch


class Temperature:
    def __init__(self):
        self.value = torch.tensor(2.0)

    def __rmul__(self, other):
        return other * self.value

    def __rtruediv__(self, other):
        return other - self.value


weight = torch.randn(3, requires_grad=True)
temperature = Temperature()
scaled = weight * temperature
temperature.value.mul_(2)  # error: IP101
try:
    scaled.sum().backward()
except RuntimeError as error:
    print(error)

shifted = weight / temperature
temperature.value.mul_(2)
shifted.sum().backward()
