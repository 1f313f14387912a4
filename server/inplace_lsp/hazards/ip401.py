"""IP401: a function writes a caller's tensor in place without saying so in its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.hazards.expected_fixes import expect_none
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import report_at
from inplace_lsp.hazards.wording import find_origin_places, name_tensor
from inplace_lsp.tape.model import ALWAYS, Actor, Create, Tape, Write

CODE = "IP401"
NAME = "argument-mutated"


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield the function's own writes to memory that its caller passed in; those of a helper belong to the helper."""
    if _is_named_in_place(tape.function):
        return
    writes = [write for _, write in tape.events_of(Write) if _is_own(write)]
    made = (create.tensor for _, create in tape.events_of(Create) if create.op == "input") if writes else ()
    given = {tensor.storage: tensor for tensor in made if _find_root_variable(tensor.name) in tape.parameters}
    for write in writes:
        if write.tensor.storage in given:
            yield _make_finding(tape, write, name_tensor(given[write.tensor.storage]))


def _is_own(write: Write) -> bool:
    """Return whether the statement is in the function itself and not in a library."""
    return write.call is None and write.actor is not Actor.STEP


def _is_named_in_place(function: str) -> bool:
    """Return whether the name says that an argument is written: `fill_`, `__iadd__`, `__setitem__`, a constructor."""
    return function.rpartition(".")[2].endswith("_")


def _find_root_variable(path: str) -> str:
    """Return the variable at the start of `rows[0].grad`."""
    return path.split(".", maxsplit=1)[0].split("[", maxsplit=1)[0]


def _make_finding(tape: Tape, write: Write, argument: str) -> Finding:
    short = tape.function.rpartition(".")[2]
    message = (
        f"`{write.op}` writes {argument}, which belongs to the caller of `{short}`: in PyTorch, the names of functions "
        f"that do so end in an underscore (`{short}_`)."
    )
    related = find_origin_places(tape, write.tensor)
    found = report_at(tape, CODE, NAME, write, when=ALWAYS, message=message, related=related)
    return replace(found, severity="information")


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="A function writes to its caller's tensor in place, and its name does not say so.",
    what="""
Finds writes in place to the arguments of a function whose name does not end in an underscore. Off by default: select
it with `select = ["IP", "IP401"]`.
""",
    why="""
The caller cannot see that its tensor changes. Whether that breaks a gradient depends on what its callers did with
the tensor; the function cannot know. torch names its own functions that write an argument with a
trailing underscore (`add_`, `nn.init.normal_`).
""",
    instead="""
Compute a new tensor and return it, or name the function so that its callers know (`scale_`).
""",
    fix_safety="""
Unsafe: making the write out of place, or to a copy of the argument, since callers may rely on it.
""",
    examples=(
        ExampleProgram(
            "An argument is written, and a view of one",
            """\
import torch


def scale(x: torch.Tensor, by):
    x *= by  # error: IP401
    return x


def clear_first(rows: torch.Tensor):
    rows[0] = 0  # error: IP401


def scale_(x: torch.Tensor, by):
    x *= by
    return x
""",
        ),
        ExampleProgram(
            "A copy is written",
            """\
import torch


def scaled(x: torch.Tensor, by):
    x = x.clone()
    x *= by
    return x


def shifted(x: torch.Tensor):
    x = x + 1
    x += 1
    return x
""",
        ),
    ),
    find=find_hazards,
    events=frozenset((Write,)),
    needs_gradients=False,
    is_on_by_default=False,
    expect_fix=expect_none,
)
