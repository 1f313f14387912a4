"""A hazard built by hand: `exp` saves its result, which is then written."""

from __future__ import annotations

from inplace_lsp.hazards.finding import Edit, Finding, Fix, Related
from inplace_lsp.tape.model import ALWAYS, Backward, Check, Create, Free, Save, Span, TensorState, View, When, Write

FILE = "/project/train.py"

PROGRAM = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
z = y[0]
\ttotal = y.sum()
y.add_(1)
total.backward()
"""


def span(row: int, column: int, end_column: int, file: str = FILE) -> Span:
    return Span(file, row, column, row, end_column)


X = TensorState(1, "x", storage=1, counter=1, version=0, requires_grad=ALWAYS)
Y = TensorState(2, "y", storage=2, counter=2, version=0, requires_grad=ALWAYS, leaf=False)
Z = TensorState(3, "z", storage=2, counter=2, version=0, requires_grad=ALWAYS, leaf=False, base=2)
BACKWARD = Backward(span(8, 0, 16), key=1, retain=False)
STORY = (
    Create(span(4, 4, 11), Y, "exp"),
    Save(span(4, 4, 11), Y, "exp", "result", key=1, node=1),
    View(span(5, 4, 8), Z, Y, "select"),
    Write(span(7, 0, 9), Y, "add_", version_after=1, grad_mode=True, needs_grad=ALWAYS),
    BACKWARD,
    Check(span(8, 0, 16), save=1, backward=1, found_version=1),
    Free(span(8, 0, 16), node=1, backward=1),
)
FINDING = Finding(
    code="IP101",
    name="saved-tensor-modified",
    severity="error",
    message="`y` is written here (version 0 -> 1), but `exp` on line 4 saved it",
    assumptions=("x requires grad",),
    span=span(7, 0, 9),
    related=(
        Related("saved", "saved here by `exp`", span(4, 4, 11)),
        Related("backward", "needed here", span(8, 0, 16)),
    ),
    fix=Fix("unsafe", "write `y = y.add(1)`", (Edit("y = y.add(1)", span(7, 0, 9)),)),
    story=STORY,
)
IF_X = When(inputs=frozenset({"x"}))
