"""A layer named by a setting of the command line in other letters."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--act", default="Sigmoid")
parser.add_argument("--layer", default="linear")
parser.add_argument("--sum", default="ADD")
args, _ = parser.parse_known_args()
x = torch.randn(3, requires_grad=True)
try:
    y = getattr(torch, args.act.lower())(x)
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
layer = getattr(nn, args.layer.capitalize())(3, 3)
try:
    y = layer(x).sigmoid()
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
y = getattr(torch, args.sum.lower())(x, x)
y.mul_(2)
y.sum().backward()
