"""Late and star imports."""

from torch import *


def run():
    import torch.nn.functional as F

    x = rand(3, requires_grad=True)
    y = sigmoid(x)
    F.relu_(y)  # error: IP101
    y.sum().backward()


run()
