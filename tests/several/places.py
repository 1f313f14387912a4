"""The places of a second hazard behind a first one, as templates: `FIRST` stands for the first, `SECOND` for the
second, which is made of `SAVE`, `WRITE` and `WALK`."""

from __future__ import annotations

from dataclasses import dataclass

START = """\
import torch
from torch import nn

w = torch.rand(3, requires_grad=True)
"""
SECOND = "SAVE\nWRITE\nWALK"
PARTS = {"SAVE": "t = w.exp()", "WRITE": "t.mul_(3)  # second", "WALK": "t.sum().backward()  # tells"}
MENDED = {**PARTS, "WRITE": "t = t * 3"}


@dataclass(frozen=True)
class Place:
    """A place. `caught`: the program catches the first error, so that torch comes to the second as it is."""

    title: str
    text: str
    caught: bool = False
    step: bool = False


PLACES = (
    Place("at module level", "FIRST\nSECOND"),
    Place("in a function", "def run():\n    FIRST\n    SECOND\n\n\nrun()"),
    Place(
        "in a forward",
        "class Net(nn.Module):\n    def forward(self, x):\n        FIRST\n        SECOND\n        return x\n\n\n"
        "Net()(torch.rand(3))",
    ),
    Place("later in the same try", "try:\n    FIRST\n    SECOND\nexcept RuntimeError as error:\n    print(error)"),
    Place("in the except arm", "try:\n    FIRST\nexcept RuntimeError:\n    SECOND", caught=True),
    Place("after a try that caught it", "try:\n    FIRST\nexcept RuntimeError:\n    pass\nSECOND", caught=True),
    Place("after a loop", "for _ in range(2):\n    FIRST\nSECOND"),
    Place(
        "in the next iteration",
        "t = None\nfor _ in range(2):\n    if t is not None:\n        WRITE\n        WALK\n    SAVE\n    FIRST",
    ),
    Place(
        "in the caller of the helper", "def helper():\n    FIRST\n\n\ndef run():\n    helper()\n    SECOND\n\n\nrun()"
    ),
    Place(
        "two calls above",
        "def inner():\n    FIRST\n\n\ndef outer():\n    inner()\n\n\ndef run():\n    outer()\n    SECOND\n\n\nrun()",
    ),
    Place(
        "in the training loop behind the forward",
        "class Net(nn.Module):\n    def forward(self, x):\n        FIRST\n        return x * 2\n\n\n"
        "model = Net()\nfor _ in range(2):\n    y = model(torch.rand(3))\n    SECOND",
    ),
    Place(
        "in the consumer of a generator",
        "def produce():\n    for _ in range(2):\n        FIRST\n        yield 1\n\n\nfor _ in produce():\n    SECOND",
    ),
    Place("written before, walked after", "SAVE\nWRITE\nFIRST\nWALK"),
    Place("saved before, written after", "SAVE\nFIRST\nWRITE\nWALK"),
    Place("after a with", "with torch.enable_grad():\n    FIRST\nSECOND"),
    Place("in the else of a loop", "for _ in range(2):\n    FIRST\nelse:\n    SECOND"),
    Place(
        "in an inner function",
        "def run():\n    def inner():\n        SECOND\n\n    FIRST\n    inner()\n\n\nrun()",
    ),
    Place(
        "in a method after the constructor",
        "class Model:\n    def __init__(self):\n        FIRST\n\n    def fit(self):\n        SECOND\n\n\nModel().fit()",
    ),
    Place("behind an if", "flag = True\nif flag:\n    FIRST\nSECOND"),
    Place("behind a comprehension", "def helper():\n    FIRST\n\n\n[helper() for _ in range(2)]\nSECOND"),
    Place("behind a while", "n = 0\nwhile n < 2:\n    FIRST\n    n += 1\nSECOND"),
    Place(
        "in a decorator",
        "def twice(function):\n    def wrapper():\n        function()\n        SECOND\n\n    return wrapper\n\n\n"
        "@twice\ndef run():\n    FIRST\n\n\nrun()",
    ),
    Place(
        "behind a module with a hook",
        "def hook(module, args, output):\n    FIRST\n\n\nlayer = nn.Identity()\nlayer.register_forward_hook(hook)\n"
        "layer(torch.rand(3))\nSECOND",
    ),
    Place("behind a match", "kind = 1\nmatch kind:\n    case 1:\n        FIRST\n    case _:\n        pass\nSECOND"),
    Place(
        "inside of a context manager",
        "class Scope:\n    def __enter__(self):\n        FIRST\n\n"
        "    def __exit__(self, *error):\n        return False\n\n\nwith Scope():\n    SECOND",
    ),
)


def fill(template: str, parts: dict[str, str]) -> str:
    """Put the parts in the place of their names, each line as deep as the name stands."""
    lines: list[str] = []
    for line in template.split("\n"):
        name = line.strip()
        if name in parts:
            depth = line[: len(line) - len(line.lstrip())]
            lines += [depth + inner for inner in fill(parts[name], parts).split("\n")]
        else:
            lines.append(line)
    return "\n".join(lines)
