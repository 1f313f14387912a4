"""IP205: memory is written in which several elements, or the written tensor and an operand in part, share a place."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import Hazard, Program
from inplace_lsp.hazards.refused import of_write, refused_writes
from inplace_lsp.hazards.wording import name
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Tape, Write

CODE = "IP205"
NAME = "overlapping-memory-modified"


def find(tape: Tape) -> Iterator[Finding]:
    """Every write to overlapping memory that torch refuses."""
    for write, when in refused_writes(tape, Rejection.OVERLAP):
        yield of_write(tape, CODE, NAME, write, when=when, message=_message(write))


def _message(write: Write) -> str:
    tensor = name(write.tensor)
    if write.partial_overlap and not write.tensor.overlapping:
        return (
            f"`{write.op}` reads and writes partly the same memory of {tensor}: the result would "
            "depend on the order of the "
            "elements, so torch refuses the write."
        )
    return (
        f"`{write.op}` writes {tensor}, several elements of which are one memory location (an "
        "expanded tensor): each would "
        "overwrite the other, so torch refuses the write."
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="An expanded tensor, or memory that an operand shares in part, is written in place.",
    what="""
Finds writes in place to tensors made by `expand`, `expand_as`, `broadcast_to` (several elements are one memory
location), and writes whose operand shares some but not all of the written memory, as in `x[1:] += x[:-1]`.
""",
    why="""
The result would depend on the order in which the elements are computed. torch raises at the write, with or without
gradients. Writes that give every element the same value (`fill_`, `zero_`) are accepted.
""",
    instead="""
Copy first: `x.expand(3, 4).clone()` or `x.repeat(3, 1)`; `x[1:] += x[:-1].clone()`.
""",
    fix_safety="""
A clone of the operand is safe; a clone of the written tensor is, where nothing relies on the write reaching the
original.
""",
    examples=(
        Program(
            "An expanded tensor",
            """\
import torch

mask = torch.ones(1, 3).expand(4, 3)
mask.mul_(2)  # error: IP205
""",
        ),
        Program(
            "A shifted copy of itself",
            """\
import torch

x = torch.rand(5)
x[1:] += x[:-1]  # error: IP205
""",
        ),
        Program(
            "Copies, whole overlap, and the same value everywhere",
            """\
import torch

mask = torch.ones(1, 3).expand(4, 3)
mask.fill_(2)
mask = mask.clone()
mask.mul_(2)
x = torch.rand(5)
x[1:] += x[:-1].clone()
x += x
""",
        ),
    ),
    says=(
        "RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single "
        "memory location. Please clone() the tensor before performing the operation."
    ),
    find=find,
)
