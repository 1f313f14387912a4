"""IP303: a custom `autograd.Function` breaks its contract with autograd about what it writes and saves."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_none
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.hits import Hit, find_unchecked_hits
from inplace_lsp.hazards.overwritten import make_findings
from inplace_lsp.hazards.refused import (
    Reasons,
    find_refusals,
    find_refused_writes,
    report_at,
    report_stale_view,
    report_write,
)
from inplace_lsp.hazards.wording import describe_place, describe_write, find_origin_places
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Actor, Refusal, Reject, Tape, Write

CODE = "IP303"
NAME = "custom-function-contract"
REFUSALS: Reasons = frozenset((Rejection.CUSTOM_VIEW, Refusal.STALE_CUSTOM_VIEW))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield undeclared writes to inputs, unchecked tensors on `ctx`, and writes to inputs returned as results."""
    for _, write in tape.events_of(Write):
        if write.actor is Actor.UNDECLARED and write.needs_grad:
            yield _report_undeclared(tape, write)
    yield from make_findings(tape, CODE, NAME, find_unchecked_hits(tape), _describe_kept_tensor)
    for write, when in find_refused_writes(tape, REFUSALS):
        message = (
            f"{describe_write(tape, write, 'a tensor')}, which a custom Function returned unchanged: a "
            "recorded write would replace the Function's own backward, so torch refuses it."
        )
        yield report_write(tape, CODE, NAME, write, when=when, message=message)
    for reject in find_refusals(tape, REFUSALS):
        yield report_stale_view(tape, CODE, NAME, reject, kind="an input that a custom Function returned unchanged")


def _report_undeclared(tape: Tape, write: Write) -> Finding:
    message = (
        f"{describe_write(tape, write, 'an input')}, an input of this custom Function, "
        "but `ctx.mark_dirty` is not called for it: autograd does not know of the write, "
        "and the gradient will be wrong."
    )
    related = find_origin_places(tape, write.tensor)
    return report_at(tape, CODE, NAME, write, when=write.needs_grad, message=message, related=related)


def _describe_kept_tensor(hit: Hit) -> str:
    save = hit.save
    return (
        f"this writes the memory that `{save.op}` on {describe_place(save.span, hit.write.span)} keeps as "
        f"`{save.role}`: only `ctx.save_for_backward` makes torch check for writes, so the gradient will be "
        "wrong without an error."
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A custom `autograd.Function` writes an input without `mark_dirty`, or keeps tensors on `ctx` unchecked.",
    what="""
Finds three ways in which a `torch.autograd.Function` and its callers can break what autograd relies on: a `forward`
that writes an input which requires grad and does not call `ctx.mark_dirty`; a tensor kept by `ctx.x = x` instead of
`ctx.save_for_backward(x)`, used by `backward`, and written in between; an input that `forward` returns as it is,
written by the caller. `register_full_backward_hook` passes what goes in and out of a module through such a Function,
so that an activation with `inplace=True` after it is refused.
""",
    why="""
The inside of `forward` is not recorded. Only `mark_dirty` makes autograd aware that an input has a new value and a
new history, and only what went through `save_for_backward` is checked. Otherwise the backward uses other values than
the forward did, and no error is raised. A result that is the input itself is a view of it whose history belongs to
the Function; a recorded write would replace it, which torch refuses.
""",
    instead="""
Call `ctx.mark_dirty(x)` and return `x`; keep inputs and results with `ctx.save_for_backward`; return `x.clone()` or
`x.view_as(x)` where nothing is computed, and write to a copy of the result.
""",
    fix_safety="""
Safe: `ctx.mark_dirty(x)` where `forward` returns what it writes; `ctx.save_for_backward(x)` in place of `ctx.x = x`,
together with the repair of the write, as for IP101; `ctx.x = x.clone()`. Unsafe: `return x.clone()` where `forward`
returns its input, since its callers then get new memory.
""",
    examples=(
        ExampleProgram(
            "An input is written and not marked",
            """\
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)  # error: IP303
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


h = torch.rand(3, requires_grad=True) * 1
y = Scale.apply(h)
(h.sum() + y.sum()).backward()
""",
        ),
        ExampleProgram(
            "Kept on ctx and written before the backward",
            """\
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2 * ctx.x


h = torch.rand(3, requires_grad=True) * 1
loss = Square.apply(h).sum()
h.zero_()  # error: IP303
loss.backward()
""",
        ),
        ExampleProgram(
            "A result that is the input",
            """\
import torch


class Pass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return -grad


h = torch.rand(3, requires_grad=True) * 1
y = Pass.apply(h)
y += 1  # error: IP303
y.sum().backward()
""",
        ),
        ExampleProgram(
            "Marked, saved and copied",
            """\
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.power = 2
        return x.clone().pow_(ctx.power)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.power * x


h = torch.rand(3, requires_grad=True) * 1
Square.apply(Scale.apply(h)).sum().backward()
""",
        ),
    ),
    find=find_hazards,
    events=frozenset((Write, Reject)),
    refusals=REFUSALS,
    error_kinds=("other", "saved"),
    is_silent=True,
    needs_gradients=False,
    expect_fix=expect_none,
)
