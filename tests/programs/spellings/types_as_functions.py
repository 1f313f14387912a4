"""What `typing` makes of types gives back what it is called with: `NewType`, `TypedDict`, `cast`."""

from typing import Annotated, NamedTuple, NewType, TypedDict, cast

import torch
from torch import Tensor

w = torch.randn(3, requires_grad=True)
Hidden = NewType("Hidden", Tensor)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Output(TypedDict):
    hidden: Tensor
    steps: int


class Longer(Output, total=False):
    last: Tensor


class Step(NamedTuple):
    hidden: Tensor
    cell: Tensor | None = None

    def reset(self):
        return self._replace(hidden=self.hidden.zero_())  # error: IP101


def grow(t: Annotated[Tensor, "float"]) -> Hidden:
    return Hidden(t.exp())


y = grow(w)
y.zero_()  # error: IP101
walk(y)
y = w.exp()
output = Output(hidden=y, steps=1)
output["hidden"].zero_()  # error: IP101
walk(y)
y = w.exp()
output = Longer(hidden=w * 2, steps=1, last=y)
output["hidden"].zero_()
for part in output.values():
    if isinstance(part, Tensor):
        part.sub_(1)  # error: IP101
walk(y)
y = w.exp()
cast("Hidden", cast(Tensor, [y][0])).zero_()  # error: IP101
walk(y)
y = w.exp()
Step(y).reset()
walk(y)
