"""Said to be an error, is none: a view of a clone gets a number added."""

import torch


def through_a_view(x):
    y = x.clone()
    table = y.view(1, 3)
    table[0][1] += 2
    return y * 3


def through_a_copy(x):
    y = x.clone()
    table = y.view(1, 3).clone()
    table[0][1] = table[0][1] + 2
    return table.view(3) * 3


x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
through_a_view(x).sum().backward()
through_a_copy(x).sum().backward()
