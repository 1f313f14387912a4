"""Programs that are open in the editors of these tests."""

from pathlib import Path

PROGRAM = """\
import torch


def loss(x):
    y = torch.sigmoid(x)
    y.clamp_(1e-6, 1.0)  # é🙂
    return y.sum()


x = torch.randn(4, requires_grad=True)
loss(x).backward()
"""
WRITE = 6
"""The row of the write in PROGRAM that breaks the gradient."""

SLOW = """\
import time
import torch

def forever(x: torch.Tensor):
    time.sleep(600)
    return x.exp()
"""

FINE = """\
import torch

# inplace: verify(x=randn(3, requires_grad=True))
def fine(x):
    y = x * 2
    y.add_(1)
    return y.sum()
"""

REPAIRED = PROGRAM.replace("    y.clamp_(1e-6, 1.0)", "    y = y.clamp(1e-6, 1.0)")
"""PROGRAM after its first repair."""

GAN = Path(__file__).with_name("gan.py").read_text(encoding="utf-8")
"""A critic that steps before the generator's backward: a long trace, and the same story in every round."""
