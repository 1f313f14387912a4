"""IP207: `out=` with arguments that require grad."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_none
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refusals, report_refusal
from inplace_lsp.hazards.rewrites import assign_result
from inplace_lsp.tape.model import Refusal, Reject, Tape

CODE = "IP207"
NAME = "out-requires-grad"
REFUSALS: Reasons = frozenset((Refusal.OUT_REQUIRES_GRAD,))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every call with `out=` that torch refuses because a gradient would have to be recorded."""
    for reject in find_refusals(tape, REFUSALS):
        message = (
            f"`{reject.op}` is called with `out=` although an argument requires grad: autograd "
            "does not record calls with `out=`, so torch refuses this one."
        )
        yield report_refusal(tape, CODE, NAME, reject, message=message)


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A call with `out=` has arguments that require grad.",
    what="""
Finds calls such as `torch.add(a, b, out=c)` with grad mode on where an argument, or the output itself, requires grad.
A factory (`torch.arange(1, 4, out=weight)`) is refused if the output is a leaf that requires grad.
""",
    why="""
The `out=` forms are not recorded by autograd: the gradient would stop there. torch raises at the call.
""",
    instead="""
Assign the result (`c = torch.add(a, b)`), or copy it (`c.copy_(a + b)`), which is recorded; or use `no_grad` if no
gradient is wanted. To set a parameter, copy under `no_grad` (`weight.copy_(torch.arange(1, 4))`): a factory that writes
it there makes it require no grad any more.
""",
    fix_safety="""
Assigning the result is safe where no other name refers to the tensor that `out=` named.
""",
    examples=(
        ExampleProgram(
            "An input requires grad",
            """\
import torch

a = torch.rand(3, requires_grad=True)
result = torch.empty(3)
torch.mul(a, 2, out=result)  # error: IP207
""",
        ),
        ExampleProgram(
            "No gradient, or recording off, or a copy",
            """\
import torch

a = torch.rand(3, requires_grad=True)
result = torch.empty(3)
torch.add(torch.ones(3), 1, out=result)
with torch.no_grad():
    torch.mul(a, 2, out=result)
kept = torch.empty(3)
kept.copy_(a * 2)
kept.sum().backward()
""",
        ),
    ),
    says=(
        "RuntimeError: mul(): functions with out=... arguments don't support automatic differentiation, but one of"
        " the arguments requires grad."
    ),
    find=find_hazards,
    events=frozenset((Reject,)),
    refusals=REFUSALS,
    absence="had no input that requires grad",
    error_kinds=("other",),
    error_pattern=r"functions with out=\.\.\. ?arguments don't support automatic differentiation",
    rewrite=assign_result,
    expect_fix=expect_none,
)
