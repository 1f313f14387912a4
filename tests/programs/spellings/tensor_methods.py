"""Methods of tensors find by keyword what they find by place."""

import torch


def copies(x):
    y = x.sigmoid()
    z = y.to(device="cpu", copy=True)
    z.mul_(2)
    same = y.to(device="cpu", dtype=torch.float32)
    same.mul_(2)  # error: IP101
    return y


def copies_by_place(x):
    y = x.sigmoid()
    y.to(torch.float32, False, True).mul_(2)
    y.to(torch.float32, False, False).mul_(2)  # error: IP101
    return y


def typed(x):
    y = x.sigmoid()
    y.type(dtype=torch.float64).mul_(2)
    y.type(dtype=torch.float32).mul_(2)  # error: IP101
    return y


def unbound(x):
    y = x.sigmoid()
    torch.Tensor.detach(y).mul_(2)  # error: IP101
    return torch.Tensor.__add__(y, 1)


def half_trained():
    w = torch.rand(3).requires_grad_(requires_grad=True)
    w.requires_grad_(requires_grad=False)
    w.mul_(2)
    w.requires_grad_(requires_grad=True)
    try:
        w.mul_(2)  # error: IP201
    except RuntimeError:
        pass


def new_leaf(x):
    made = x.new_tensor(data=[1.0, 2.0], requires_grad=True)
    other = x.new_zeros(size=(2,), requires_grad=True)
    plain = x.new_full(size=(2,), fill_value=1.0)
    plain.add_(1)
    try:
        made.add_(1)  # error: IP201
    except RuntimeError:
        other.detach()


def resized(x):
    y = x.sigmoid().reshape(4)
    plain = torch.zeros(4)
    kept = y * plain
    plain.resize_(size=(4,))
    return kept


x = torch.rand(2, 2, requires_grad=True)
for function in (copies, copies_by_place, typed, unbound, resized):
    try:
        function(x).sum().backward()
    except RuntimeError:
        pass
half_trained()
new_leaf(x)
