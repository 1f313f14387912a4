"""IP205: several elements of the written tensor share memory, or the written tensor overlaps an operand in part."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import Reasons, find_refused_writes, report_write
from inplace_lsp.hazards.rewrites import write_out_of_place
from inplace_lsp.hazards.wording import describe_write, name_tensor
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Tape, Write

CODE = "IP205"
NAME = "overlapping-memory-modified"
REFUSALS: Reasons = frozenset((Rejection.OVERLAP,))


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every write to overlapping memory that torch refuses."""
    for write, when in find_refused_writes(tape, REFUSALS):
        yield report_write(tape, CODE, NAME, write, when=when, message=_describe_write(tape, write))


def _describe_write(tape: Tape, write: Write) -> str:
    tensor = name_tensor(write.tensor)
    if write.partial_overlap and not write.tensor.overlapping:
        return (
            f"`{write.op}` reads and writes partly the same memory of {tensor}: the result would "
            "depend on the order of the "
            "elements, so torch refuses the write."
        )
    return (
        f"{describe_write(tape, write)}, whose elements share memory (an expanded tensor): "
        "they would overwrite each other, so torch refuses the write."
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="An expanded tensor, or memory that overlaps with another input, is written in place.",
    what="""
Finds writes in place to tensors made by `expand`, `expand_as`, `broadcast_to` (several elements are one memory
location), and writes with another input that shares some but not all of the written memory, as in `x[1:] += x[:-1]`.
""",
    why="""
The result would depend on the order in which the elements are computed. torch raises at the write, with or without
gradients. Writes that give every element the same value (`fill_`, `zero_`) are accepted.
""",
    instead="""
Copy first: `x.expand(3, 4).clone()` or `x.repeat(3, 1)`; `x[1:] += x[:-1].clone()`.
""",
    fix_safety="""
A clone of the other input is safe; a clone of the written tensor is safe where nothing relies on the write reaching
the original.
""",
    examples=(
        ExampleProgram(
            "An expanded tensor",
            """\
import torch

mask = torch.ones(1, 3).expand(4, 3)
mask.mul_(2)  # error: IP205
""",
        ),
        ExampleProgram(
            "A shifted copy of itself",
            """\
import torch

x = torch.rand(5)
x[1:] += x[:-1]  # error: IP205
""",
        ),
        ExampleProgram(
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
    find=find_hazards,
    events=frozenset((Write,)),
    refusals=REFUSALS,
    absence="had no elements that share memory",
    error_kinds=("overlap",),
    needs_gradients=False,
    rewrite=write_out_of_place,
)
