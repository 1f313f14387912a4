"""IP204: a view made under no_grad is written with grad mode on."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_safe
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refusals, find_refused_writes, report_stale_view, report_write
from inplace_lsp.hazards.wording import describe_write
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Refusal, Reject, Tape, ViewKind, Write

CODE = "IP204"
NAME = "no-grad-view-modified"
REFUSALS: Reasons = frozenset((Rejection.NO_GRAD_VIEW, Refusal.STALE_NO_GRAD_VIEW))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield the writes to views made with grad mode off, and writes to a base with such views in use."""
    for write, when in find_refused_writes(tape, REFUSALS):
        mode = "inference mode" if write.tensor.view is ViewKind.INFERENCE else "`no_grad`"
        message = (
            f"{describe_write(tape, write, 'a view')} with grad mode on, but the view "
            f"was made under {mode}: autograd "
            "cannot know whether to record the write, so torch refuses it."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)
    for reject in find_refusals(tape, REFUSALS):
        yield report_stale_view(tape, CODE, NAME, reject, kind="a view that was made without recording")


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A view made under `no_grad` (or inference mode) is written with grad mode on.",
    what="""
Finds writes in place, recorded by autograd, to views that were made inside `with torch.no_grad():` or `with
torch.inference_mode():`.
""",
    why="""
Under `no_grad` autograd does not record how the view follows from its base. A recorded write to it later is
ambiguous: it could be part of the graph or not. torch raises at the write, as soon as the view or the written value
needs a gradient.
""",
    instead="""
Make the view where it is written: both inside `no_grad` or both outside. Use `detach()` to say that a part is no part
of the graph.
""",
    fix_safety="""
Making the view again in grad mode, or outside `no_grad`, is safe: all users of the tensor see the write, and it is
recorded.
Writing out of place is unsafe where the base is used later.
""",
    examples=(
        ExampleProgram(
            "A slice made under no_grad",
            """\
import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    head = y[:2]
head.mul_(3)  # error: IP204
""",
        ),
        ExampleProgram(
            "A view of a plain tensor, filled with a value that needs a gradient",
            """\
import torch

x = torch.rand(2, requires_grad=True)
buffer = torch.zeros(4)
with torch.inference_mode():
    head = buffer[:2]
head.copy_(x)  # error: IP204
""",
        ),
        ExampleProgram(
            "Both inside, both outside, or nothing that needs a gradient",
            """\
import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    head = y[:2]
    head.mul_(3)
tail = y[2:]
tail.mul_(3)
with torch.no_grad():
    plain = torch.zeros(4)[:2]
plain.add_(1)
y.sum().backward()
""",
        ),
    ),
    says=(
        "RuntimeError: A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
        "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
        "moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace "
        "to be tracked) or both outside (if you want the inplace to be tracked)."
    ),
    find=find_hazards,
    events=frozenset((Write, Reject)),
    refusals=REFUSALS,
    absence="was not a view made under no_grad of what needs a gradient",
    error_kinds=("no-grad-view", "multi-view"),
    expect_fix=expect_safe,
)
