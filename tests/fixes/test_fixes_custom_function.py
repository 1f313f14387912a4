"""Repairs of a custom `autograd.Function` that breaks its contract: the text they write, and torch's word on it."""

from __future__ import annotations

import pytest
import torch

from fixes.runs import FILE, run
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.offer import fixes_for
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Fix

HEAD = "import torch\n\nx = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\n\n\n"
SCALE = (
    HEAD
    + """\
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t, by):
        ctx.by = by
        t.mul_(by)
        return t

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.by, None


h = x * 1
y = Scale.apply(h, 3.0)
(h.sum() + y.sum()).backward()
"""
)
SETUP = SCALE.replace("(ctx, t, by):\n        ctx.by = by\n", "(t, by):\n").replace(
    "    @staticmethod\n    def backward",
    "    @staticmethod\n    def setup_context(ctx, inputs, output):\n        ctx.by = inputs[1]\n\n"
    "    @staticmethod\n    def backward",
)
TWO_INPUTS = SCALE.replace("t.mul_(by)\n", "t.mul_(by)\n        ctx.mark_dirty(t)\n").replace("t, by", "u, t, by")
TWO_INPUTS = (
    TWO_INPUTS.replace("return t", "u.add_(1)\n        return u, t")
    .replace("backward(ctx, grad)", "backward(ctx, one, grad)")
    .replace("return grad * ctx.by, None", "return one, grad * ctx.by, None")
    .replace("y = Scale.apply(h, 3.0)\n", "g = x * 2\n_, y = Scale.apply(g, h, 3.0)\n")
)
KEPT = (
    HEAD
    + """\
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.t = t
        return t * t

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad * ctx.t


h = x * 1
y = Square.apply(h).sum()
h.add_(1)
(y + h.sum()).backward()
"""
)
TAKEN = KEPT.replace("return 2 * grad * ctx.t", "t = ctx.t  # as it was\n        return 2 * grad * t")
BOUND = KEPT.replace("return 2 * grad * ctx.t", "t = 2 * grad\n        return t * ctx.t")
SAVED_TOO = KEPT.replace("ctx.t = t", "two = t.new_tensor(2.0)\n        ctx.t = t\n        ctx.save_for_backward(two)")
SAVED_TOO = SAVED_TOO.replace("return 2 * grad", "(two,) = ctx.saved_tensors\n        return two * grad")
WHOLE = KEPT.replace("ctx.t = t\n", "ctx.t = t\n        ctx.save_for_backward(t.detach() * 2)\n")
WHOLE = WHOLE.replace("return 2 * grad", "saved = ctx.saved_tensors\n        return saved[0] / ctx.t * grad")
PASS = (
    HEAD
    + """\
class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        return t

    @staticmethod
    def backward(ctx, grad):
        return -grad


def head(t):
    t = Reverse.apply(t)
    t += 1
    return t.sum()


head(x * 2).backward()
"""
)


def offers(program: str) -> tuple[Fix, ...]:
    analysis = analyse_source(program, FILE)
    finding = next(finding for finding in analysis.findings if finding.code == "IP303")
    return fixes_for(program, finding, analysis)


WRITTEN = [
    ("mark", SCALE, "Report the write to autograd", ["t.mul_(by)\n        ctx.mark_dirty(t)\n"], [4.0 + 2.0]),
    (
        "setup_context",
        SETUP,
        "Report the write to autograd",
        ["ctx.mark_dirty(inputs[0])\n        ctx.by = inputs[1]"],
        [6.0],
    ),
    ("one call", TWO_INPUTS, "Report the write to autograd", ["ctx.mark_dirty(t, u)\n"], [6.0]),
    (
        "save",
        KEPT,
        "Keep `t`",
        ["ctx.save_for_backward(t)\n", "(t,) = ctx.saved_tensors\n        return 2 * grad * t", "h = h.add(1)"],
        [3.0],
    ),
    ("a variable", TAKEN, "Keep `t`", ["(t,) = ctx.saved_tensors  # as it was\n        return"], [3.0]),
    ("a taken name", BOUND, "Keep `t`", ["(saved_t,) = ctx.saved_tensors\n", "return t * saved_t"], [3.0]),
    ("one more", SAVED_TOO, "Keep `t`", ["ctx.save_for_backward(two, t)", "two, t = ctx.saved_tensors\n"], [3.0]),
    ("copy", KEPT, "Let the Function keep a copy", ["ctx.t = t.clone()\n"], [3.0]),
    ("returned", PASS, "Return a copy", ["return t.clone()\n\n    @staticmethod"], [-2.0]),
    ("out of place", PASS, "Write out of place", ["t = t + 1\n"], [-2.0]),
]


@pytest.mark.parametrize(
    ("program", "title", "pieces", "first"), [row[1:] for row in WRITTEN], ids=[r[0] for r in WRITTEN]
)
def test_a_repair_of_the_contract(program: str, title: str, pieces: list[str], first: list[float]) -> None:
    fix = next(fix for fix in offers(program) if fix.message.startswith(title))
    fixed = apply_edits(program, fix.edits)
    for piece in pieces:
        assert piece in fixed
    assert not analyse_source(fixed, FILE).findings
    gradient = run(fixed)["x"].grad
    assert torch.allclose(gradient[:1], torch.tensor(first)), gradient


def test_the_contract_comes_first() -> None:
    first = offers(KEPT)[0]
    assert first.message.startswith("Keep")
    assert first.applicability == "safe"


def test_no_mark_for_what_is_not_returned() -> None:
    """torch refuses a mark for an input that the forward does not give back."""
    program = SCALE.replace("return t\n", "return t * 1\n")
    assert not [fix for fix in offers(program) if "mark_dirty" in fix.message]


def test_saved_tensors_that_are_not_unpacked_are_left_alone() -> None:
    assert not [fix for fix in offers(WHOLE) if "save_for_backward" in fix.message]


def test_a_leaf_may_not_be_written_even_if_it_is_marked() -> None:
    fixes = offers(SCALE.replace("h = x * 1", "h = x"))
    assert fixes[0].message.startswith("Write out of place: `t = t.mul(by)`")
    assert not [fix for fix in fixes if "mark_dirty" in fix.message]
