"""Loops over the fields of a dataclass, asked of an object or of its class."""

import dataclasses
from dataclasses import dataclass, fields

import torch

w = torch.randn(3, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


@dataclass
class Base:
    name: str


@dataclass
class State(Base):
    hidden: torch.Tensor
    cell: torch.Tensor

    def halve_(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, torch.Tensor):
                value.mul_(0.5)  # error: IP101

    def detach(self):
        return State(*(part.detach() if torch.is_tensor(part) else part for part in self.parts()))

    def parts(self):
        return [getattr(self, field.name) for field in dataclasses.fields(State)]


state = State("first", w * 2, w.exp())
state.halve_()
walk(state.cell)

state = State("second", w * 2, w * 3)
state.halve_()
walk(state.hidden + state.cell)

state = State("third", w.exp(), w.tanh())
state.parts()[2].add_(1)  # error: IP101
walk(state.cell)
for name in State.__dataclass_fields__:
    if name == "hidden":
        getattr(state, name).neg_()  # error: IP101
walk(state.hidden)
print(state.detach().name, list(State.__annotations__))
