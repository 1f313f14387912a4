"""A write in finally."""

import torch


def forward(x):
    y = x.exp()
    try:
        return y * 1
    finally:
        y.zero_()  # error: IP101


forward(torch.rand(3, requires_grad=True)).sum().backward()
