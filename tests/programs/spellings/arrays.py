"""numpy's functions with their keywords: arrays over a tensor's memory, written by name."""

import numpy as np
import torch


def shared(x):
    y = x * 2
    z = y.sin()
    array = np.asarray(a=y.detach(), dtype=np.float32)
    np.add(array, 1, out=array)  # error: IP301
    return z


def by_place(x):
    y = x * 2
    z = y.sin()
    array = np.reshape(y.detach().numpy(), shape=(3,))
    np.multiply(array, 2, array)  # error: IP301
    return z


def copied(x):
    y = x * 2
    z = y.sin()
    array = np.array(object=y.detach().numpy())
    np.copyto(dst=array, src=0.0)
    return z


def filled(x):
    y = x * 2
    z = y.sin()
    np.copyto(dst=y.detach().numpy(), src=0.0)  # error: IP301
    return z


for f in (shared, by_place, copied, filled):
    f(torch.rand(3, requires_grad=True)).sum().backward()
