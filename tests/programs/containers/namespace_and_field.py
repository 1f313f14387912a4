"""Tensors in a namespace, and in the list that a dataclass makes for each of its objects."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import torch


@dataclass
class State:
    h: torch.Tensor
    seen: list = field(default_factory=list)

    def push(self, t):
        self.seen.append(t)
        self.h = self.h * t


w = torch.rand(3, requires_grad=True)
box = SimpleNamespace(a=w * 1, b=w * 2)
y = box.a * box.b
box.a.add_(1)  # error: IP101
y.sum().backward()

state, other = State(w * 1), State(w * 1)
state.push(w * 2)
other.push(w * 3)
other.seen[0].detach()
state.seen[0].add_(1)  # error: IP101
state.h.sum().backward()
other.h.sum().backward()
