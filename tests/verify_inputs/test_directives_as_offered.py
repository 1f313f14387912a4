"""The `# inplace: verify(...)` comment that is offered for a function is read as what it was written from."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from inplace_lsp.verify.inputs import find_candidates
from inplace_lsp.verify.inputs.directive import read_directive
from inplace_lsp.verify.inputs.model import Inputs, Missing, ProbeResult
from inplace_lsp.verify.inputs.program import read_program

PROGRAMS = Path(__file__).parents[1] / "programs"
FOLDERS = sorted(path.name for path in PROGRAMS.iterdir() if path.is_dir())
FILE = "/trial/program.py"


def test_the_programs_are_there() -> None:
    assert len(FOLDERS) > 10


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_offered_is_read_as_it_was_meant(folder: str) -> None:
    for path in sorted((PROGRAMS / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        program = read_program(text, FILE)
        written = program is None or "inplace: verify" in text
        for name in () if written or program is None else program.definitions:
            made, missing = _offered(text, name)
            got = _read_back(text, name, missing)
            assert isinstance(got, Inputs), (path, name, missing.directive, got)
            assert _values(got) in [_values(inputs) for inputs in made], (path, name, missing.directive)


def _offered(text: str, target: str) -> tuple[list[Inputs], Missing]:
    """The inputs that are made up, and what is offered where none of them run."""
    found = list(find_candidates(text, FILE, target, probe=_nothing_runs, clock=_late()))
    made = [inputs for inputs in found if isinstance(inputs, Inputs) and inputs.source in ("annotation", "inferred")]
    missing = found[-1]
    assert isinstance(missing, Missing)
    return made, missing


def _nothing_runs(tries: Sequence[Inputs], /, *, data: bool = False) -> list[ProbeResult]:
    return [ProbeResult(False, "nothing runs")] * len(tries)


def _late() -> Callable[[], float]:
    """A clock by which every search is over before it has begun."""
    seconds = iter(range(0, 10**9, 1000))
    return lambda: float(next(seconds))


def _read_back(text: str, target: str, missing: Missing) -> Inputs | Missing | None:
    lines = text.split("\n")
    lines.insert(missing.row - 1, " " * missing.column + missing.directive)
    program = read_program("\n".join(lines), FILE)
    assert program is not None, missing.directive
    return read_directive(program, program.definitions[target])


def _values(inputs: Inputs) -> list[str | None]:
    """The expressions of inputs, in one spelling."""
    call = inputs.driver.call if inputs.driver is not None else None
    return [value and ast.unparse(ast.parse(value)) for value in (call, inputs.receiver, *inputs.arguments.values())]
