"""A graph is kept for each walk but the last: what asks for it is not in sight."""

import torch

hidden = {}
exec("def asks_to_keep(at, count): return at + 1 < count", hidden)
asks_to_keep = hidden["asks_to_keep"]
x = torch.rand(3, requires_grad=True)


def jacobian(y, x):
    rows = []
    for at, element in enumerate(y):
        x.grad = None
        element.backward(retain_graph=asks_to_keep(at, len(y)))
        rows.append(x.grad.clone())
    return torch.stack(rows)


def jacobian_freed(y, x):
    rows = []
    for element in y:
        (row,) = torch.autograd.grad(element, x, retain_graph=False)  # error: IP103
        rows.append(row)
    return torch.stack(rows)


jacobian(x.exp(), x)
try:
    jacobian_freed(x.exp(), x)
except RuntimeError as error:
    print(error)
