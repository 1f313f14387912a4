"""What a layer's `__dict__` gives may be written under no_grad, and a buffer that it holds at any time."""

import torch
from torch import nn


def scale_weights():
    layer = nn.Linear(3, 3)
    if not layer.__dict__["_parameters"]:
        return
    with torch.no_grad():
        for parameter in layer._parameters.values():
            parameter.mul_(2)


def reset_statistics():
    norm = nn.BatchNorm1d(3)
    assert "running_mean" in norm.__dict__["_buffers"]
    for buffer in norm._buffers.values():
        buffer.zero_()
    norm(torch.rand(2, 3)).sum().backward()


def run_by_mode():
    layer = nn.Linear(3, 3).eval()
    y = layer(torch.rand(3)).exp()
    if layer.__dict__["training"]:
        y.mul_(2)
    y.sum().backward()


scale_weights()
reset_statistics()
run_by_mode()
