"""Tensors made by the classes of their element types require no grad, whatever they are made of."""

import torch


def rows():
    return [[1, 0, 1], [0, 1, 1]]


w = torch.rand(2, 3, requires_grad=True)
for make in (torch.BoolTensor, torch.ByteTensor, torch.ShortTensor, torch.CharTensor, torch.HalfTensor):
    chosen = make(rows())
    for _ in range(2):
        y = w * chosen
        y.sum().backward()

mask = torch.BoolTensor(rows())
y = w.exp()
y[mask] = 0  # error: IP101
try:
    y.sum().backward()
except RuntimeError as error:
    print(error)

half = torch.HalfTensor(rows())
half.add_(1)
half.requires_grad_()
try:
    half.add_(1)  # error: IP201
except RuntimeError as error:
    print(error)
