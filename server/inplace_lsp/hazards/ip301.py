"""IP301: a saved tensor is written round its version counter: a wrong gradient and no error."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import Hazard, Program
from inplace_lsp.hazards.hits import Hit, silent_hits
from inplace_lsp.hazards.overwritten import findings_of, saved_by
from inplace_lsp.hazards.wording import name
from inplace_lsp.tape.model import Actor, Tape

CODE = "IP301"
NAME = "saved-tensor-modified-silently"


def find(tape: Tape) -> Iterator[Finding]:
    """Every write that a backward needs to know of and cannot see."""
    return findings_of(tape, CODE, NAME, silent_hits(tape), _message)


def _message(hit: Hit) -> str:
    write = hit.write
    way = f" through `{write.alias.strip('`')}`" if write.alias else ""
    who = "this call writes" if write.actor is Actor.STEP else "this writes"
    memory = f"the memory of {name(write.tensor, name(hit.save.tensor))}{way}"
    return (
        f"{who} {memory} unseen by its version counter, but {saved_by(hit)} "
        "The gradient will be wrong and torch will not say so."
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A saved tensor is written behind the version counter: the gradient is wrong and torch does not tell.",
    what="""
Finds writes to memory that an op has saved for its backward by a way that the version counter does not see: `x.data`,
a numpy or dlpack alias, `untyped_storage()`, `x.data = value`, optimizers with `fused=True`.
""",
    why="""
Autograd notices a changed tensor only by its version. These writes change the contents and not the version: the
backward computes with the new contents, returns a wrong gradient, and nothing is raised.
""",
    instead="""
Write with `with torch.no_grad(): x.copy_(value)`, which the version counter sees, and only after the backward; or
give numpy a copy (`x.detach().clone().numpy()`).
""",
    fix_safety="""
A copy, made where the op saves or before the write, is safe: the gradient is that of the values the op has seen.
Without `.data` the gradient goes through the write, which is unsafe. A write under `no_grad` only makes the error a
loud one.
""",
    examples=(
        Program(
            "Through .data",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.data.mul_(2)  # error: IP301
y.sum().backward()
""",
        ),
        Program(
            "Through a numpy array",
            """\
import torch

x = torch.rand(3, requires_grad=True)
h = x * 2
loss = (h**2).sum()
array = h.detach().numpy()
array[0] = 7.0  # error: IP301
loss.backward()
""",
        ),
        Program(
            "The memory of a parameter is swapped before backward",
            """\
import torch

w = torch.rand(3, requires_grad=True)
loss = (w**2).sum()
w.data = torch.zeros(3)  # error: IP301
loss.backward()
""",
        ),
        Program(
            "A write after backward, and one to what nobody saved",
            """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.sum().backward()
y.data.mul_(2)
z = x + 1
z.data.mul_(2)
array = z.detach().numpy()
array[0] = 7.0
z.sum().backward()
""",
        ),
    ),
    find=find,
)
