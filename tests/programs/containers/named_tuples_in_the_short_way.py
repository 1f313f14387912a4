"""Named tuples made by a call of `typing.NamedTuple`, and code that asks whether a tuple is one."""

from typing import NamedTuple

import torch

Pair = NamedTuple("Pair", [("first", torch.Tensor), ("second", torch.Tensor)])
w = torch.randn(3, requires_grad=True)


def halve(value):
    if isinstance(value, torch.Tensor):
        return value.mul_(0.5)  # error: IP101
    parts = [halve(part) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


pair = Pair(w * 2, w.exp())
halve(Pair(pair.first, w * 3))
(halve([pair])[0].second.sum()).backward()
print(dict(zip(pair._fields, pair)))
