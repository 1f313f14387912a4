"""IP202: a view of a leaf that requires grad is written in place with grad mode on."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_update
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refused_writes, report_write
from inplace_lsp.hazards.rewrites import update_without_grad
from inplace_lsp.hazards.wording import describe_write, is_part, name_tensor
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Tape, View, Write

CODE = "IP202"
NAME = "leaf-view-modified"
REFUSALS: Reasons = frozenset((Rejection.LEAF_VIEW,))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every write to a view of a leaf that torch refuses."""
    for write, when in find_refused_writes(tape, REFUSALS):
        message = (
            f"{describe_write(tape, write, 'a view')}, {_describe_memory(tape, write)} that requires grad: "
            "the write would go through to the leaf, so torch refuses it."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)


def _describe_memory(tape: Tape, write: Write) -> str:
    """Return the owner of the written memory, as the object of "writes a part of `bias`," or "writes `view`,"."""
    made = tape.origins.get(write.tensor.id)
    of = made.of if isinstance(made, View) else None
    if is_part(tape, write) and of is not None and of.name == write.tensor.name:
        return "a leaf" if of.base is None else "a view of a leaf"
    return (
        f"a view of {name_tensor(of)}, a leaf" if of is not None and of.base is None and of.name else "a view of a leaf"
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A view of a leaf that requires grad is written in place with grad mode on.",
    what="""
Finds writes in place to slices, rows, transposes, reshapes and other views of a leaf that requires grad. `x[0] = 1`
is such a write: it fills the view `x[0]`.
""",
    why="""
A view has no memory of its own: what is written to it is written to the leaf, and a leaf that requires grad may not
be written by a recorded op (see IP201). torch raises at the write.
""",
    instead="""
Write inside `with torch.no_grad():`, before `requires_grad_()`, or to a view of `x.clone()`.
""",
    fix_safety="""
Wrapping the write into `torch.no_grad()` changes the meaning if the write was meant to be part of the computation.
""",
    examples=(
        ExampleProgram(
            "An element and a row of a leaf",
            """\
import torch

x = torch.rand(3, requires_grad=True)
try:
    x[0] = 5.0  # error: IP202
except RuntimeError as error:
    print(error)

weight = torch.nn.Parameter(torch.rand(2, 2))
row = weight[0]
row.mul_(2)  # error: IP202
""",
        ),
        ExampleProgram(
            "A view of a copy, and a view with grad mode off",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.clone()
y[0] = 5.0
with torch.no_grad():
    x[0] = 1.0
y.sum().backward()
""",
        ),
    ),
    says=("RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation."),
    find=find_hazards,
    events=frozenset((Write,)),
    refusals=REFUSALS,
    absence="was not a view of a leaf that requires grad",
    error_kinds=("view-of-leaf",),
    rewrite=update_without_grad,
    expect_fix=expect_update,
)
