"""IP203: one of several views that an op made at once is written, or the base under them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_unsafe
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refusals, find_refused_writes, report_stale_view, report_write
from inplace_lsp.hazards.rewrites import detach_out_of_place, write_out_of_place
from inplace_lsp.hazards.wording import describe_write, is_part, name_tensor
from inplace_lsp.tape.autograd import DETACH, Rejection
from inplace_lsp.tape.model import Refusal, Reject, Tape, Write

CODE = "IP203"
NAME = "multi-view-modified"
_MULTI_VIEWS: Reasons = frozenset((Rejection.MULTI_OUTPUT_VIEW, Refusal.STALE_MULTI_VIEW))
_DETACHED: Reasons = frozenset((Rejection.DETACHED_VIEW,))
REFUSALS: Reasons = _MULTI_VIEWS | _DETACHED


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield the writes to outputs of `unbind`, `split`, `chunk`, ..., and to a base with such outputs in use."""
    for write, when in find_refused_writes(tape, _MULTI_VIEWS):
        message = (
            f"{describe_write(tape, write, 'a view')}, one of several views that one op "
            "returned: autograd cannot record a write to one of them alone, so torch refuses the write."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)
    for write, when in find_refused_writes(tape, _DETACHED):
        part = "a part of " if write.tensor.name and is_part(tape, write) else ""
        message = (
            f"{part}{name_tensor(write.tensor, 'the tensor')} is a view, which `detach_` cannot take out of the graph "
            "of its base, so torch refuses the call."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)
    for reject in find_refusals(tape, REFUSALS):
        yield report_stale_view(tape, CODE, NAME, reject, kind="one of several views that one op returned")


def _write_anew(finding: Finding, statement: ast.stmt) -> str:
    """Return the statement as one that makes a new tensor."""
    return detach_out_of_place(statement) if finding.op == DETACH else write_out_of_place(finding, statement)


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="An output of `unbind`, `split`, `chunk` or of iterating a tensor is written in place, or a view detached.",
    what="""
Finds writes in place to one of several views that one op returns (`unbind`, `split`, `chunk`, `for row in x`, `a, b =
x`) while a gradient is recorded, and writes to the base of such views after which one of them is used. Finds
`detach_()` of a view, too, which torch refuses also where nothing needs a gradient.
""",
    why="""
After a write to a view, autograd gives the view and its base a new history. It can do so for ops that return one
view, but not for those that return several, and raises instead: at the write, or at the next use of an output if the
base was written. It does so even if the base needs no gradient, as soon as the written value needs one. Nor can it
take a single view out of the graph in place: the base would still belong to it.
""",
    instead="""
Index instead (`x[0]`, `x[:, :2]` are single views), clone the outputs, or compute new values and `torch.stack` or
`torch.cat` them. Write `y = y.detach()` for `y.detach_()`.
""",
    fix_safety="""
Writing the rows of a loop by their index (`y[i]`) is safe: all users of the tensor see the write. Cloning an output is
safe where nothing relies on the write reaching the base.
""",
    examples=(
        ExampleProgram(
            "A row of a loop over a tensor",
            """\
import torch

x = torch.rand(2, 3, requires_grad=True)
y = x * 2
for row in y:
    row += 1  # error: IP203
""",
        ),
        ExampleProgram(
            "An output of chunk, filled with a value that needs a gradient",
            """\
import torch

w = torch.rand(2, requires_grad=True)
left, right = torch.zeros(4).chunk(2)
left.copy_(w)  # error: IP203
""",
        ),
        ExampleProgram(
            "The base is written, then an output is used",
            """\
import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
left, right = y.split(2)
y.add_(1)
y.mul_(3)  # error: IP203
left.sum().backward()
""",
        ),
        ExampleProgram(
            "A view is detached in place",
            """\
import torch

x = torch.rand(2, 3, requires_grad=True)
y = (x * 2)[0]
y.detach_()  # error: IP203
x.sum().backward()
""",
        ),
        ExampleProgram(
            "Plain views, copies, and no gradient at all",
            """\
import torch

x = torch.rand(2, 3, requires_grad=True)
y = x * 2
top = y[0]
top += 1
y.mul_(3)
for row in (x * 2).unbind():
    fresh = row.clone()
    fresh += 1
for row in torch.zeros(2, 3):
    row += 1
(y.sum() + top.sum()).backward()
""",
        ),
    ),
    says=(
        "RuntimeError: Output 0 of Unbind is a view and is being modified inplace. This view is the output of a "
        "function that returns multiple views. Such functions do not allow the output views to be modified "
        "inplace. You should replace the inplace operation by an out-of-place one."
    ),
    find=find_hazards,
    events=frozenset((Write, Reject)),
    refusals=REFUSALS,
    absence="was not one of several views that one op made of what needs a gradient",
    error_kinds=("multi-view", "no-grad-view"),
    error_pattern=r"Can.t detach views in-?place",
    rewrite=_write_anew,
    expect_fix=expect_unsafe,
)
