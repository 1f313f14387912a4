import sys
import types

import torch
from torch import nn

sys.modules["absent_grids"] = types.SimpleNamespace(make_grid=torch.linspace, soften=lambda x, by: x * by)

import samplers
import train


def runs_training():
    train.main()


def raises_softened():
    samplers.Softened(4)(torch.randn(2, 4)).sum().backward()


def raises_gate_penalty():
    samplers.gate_penalty(nn.Linear(3, 3), torch.randn(2, 3)).backward()
