"""IP201: a leaf that requires grad is written in place with grad mode on."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_update
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refused_writes, report_write
from inplace_lsp.hazards.rewrites import update_without_grad
from inplace_lsp.hazards.wording import describe_write
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Tape, Write

CODE = "IP201"
NAME = "leaf-modified"
REFUSALS: Reasons = frozenset((Rejection.LEAF,))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every write to a leaf that torch refuses."""
    for write, when in find_refused_writes(tape, REFUSALS):
        message = (
            f"{describe_write(tape, write)}, a leaf that requires grad, with grad mode on: "
            "torch refuses in-place writes to such tensors."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A leaf that requires grad is written in place with grad mode on.",
    what="""
Finds in-place writes to parameters, to tensors made with `requires_grad=True`, and to detached or new tensors after
`requires_grad_()`.
""",
    why="""
A leaf is where gradients are collected. If a recorded op could overwrite it, the leaf would become the result of that
op, and `.grad` would belong to its old value. torch raises at the write.
""",
    instead="""
Update parameters inside `with torch.no_grad():`; fill a tensor before `requires_grad_()`; or write to `x.clone()`.
""",
    fix_safety="""
Wrapping the write into `torch.no_grad()` changes the meaning if the write was meant to be part of the computation.
""",
    examples=(
        ExampleProgram(
            "A parameter is updated by hand",
            """\
import torch

weight = torch.rand(3, requires_grad=True)
weight.sum().backward()
weight -= 0.1 * weight.grad  # error: IP201
""",
        ),
        ExampleProgram(
            "A mask writes the leaf itself",
            """\
import torch

x = torch.randn(4, requires_grad=True)
x[x < 0] = 0  # error: IP201
""",
        ),
        ExampleProgram(
            "With grad mode off, before it requires grad, or on a copy",
            """\
import torch

weight = torch.rand(3, requires_grad=True)
weight.sum().backward()
with torch.no_grad():
    weight -= 0.1 * weight.grad
start = torch.zeros(3)
start[0] = 1
start.requires_grad_()
copy = weight.clone()
copy[copy < 0.5] = 0
(copy * start).sum().backward()
""",
        ),
    ),
    says=("RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."),
    find=find_hazards,
    events=frozenset((Write,)),
    refusals=REFUSALS,
    absence="was not a leaf that requires grad",
    error_kinds=("leaf",),
    rewrite=update_without_grad,
    expect_fix=expect_update,
)
