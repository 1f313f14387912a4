"""Code that asks whether a value is an array, or finds it out by torch's TypeError, before it makes a tensor of it."""

import numpy as np
import torch

net = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)


def as_tensor(value):
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value).float()
    return value


h = torch.sigmoid(net(x))
h *= as_tensor(np.array([0.5, 1.5, 2.5]))  # error: IP101
h.sum().backward()

w = np.array([0.5, 1.5, 2.5])
if not torch.is_tensor(w):
    w = torch.as_tensor(w).float()
h = torch.sigmoid(net(x))
h *= w  # error: IP101
h.sum().backward()

w = np.array([0.5, 1.5, 2.5])
if type(w) is np.ndarray:
    w = torch.from_numpy(w).float()
h = torch.sigmoid(net(x))
h.add_(w)  # error: IP101
h.sum().backward()

w = np.array([0.5, 1.5, 2.5])
try:
    x.mul_(w)
except (TypeError, ValueError):
    x.mul_(torch.from_numpy(w).float())
h = torch.sigmoid(net(x))
h += 1  # error: IP101
h.sum().backward()

rows = np.ones(3, dtype=np.float32)
h = torch.sigmoid(net(x))
try:
    h[0] = rows
except TypeError:
    h[0] = torch.as_tensor(rows)  # error: IP101
h.sum().backward()
