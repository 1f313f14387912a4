"""A gradient that comes out otherwise than it should, without an error, is never missed.

In the recorded run every backward gets what was saved, whatever has been written since; in the plain run it gets what
torch finds. Where torch raises nothing and the gradients of the two runs differ, there must be an IP301.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import types
from pathlib import Path

import pytest
import torch

from generated.levels import LEVELS, program
from inplace_lsp.hazards.registry import findings
from inplace_lsp.tape.model import Tape
from inplace_lsp.worker import recorder
from inplace_lsp.worker.places import forget

ROOT = Path(__file__).parents[1] / "programs"
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
FILE = "silent_program.py"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_wrong_gradients_of_the_programs(name: str) -> None:
    hold_against_gradients((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("level", LEVELS)
def test_wrong_gradients_of_random_programs(level: int) -> None:
    for seed in range(910_000, 910_025):
        hold_against_gradients(program(level, seed))


def hold_against_gradients(text: str) -> None:
    plain, recorded = _Run(text), _Run(text)
    if recorder.run_plainly(plain, 0) is not None:
        return
    events, _ = recorder.record(recorded, frozenset({FILE}), 0, assume_on_return=True)
    codes = {found.code for found in findings(Tape("program", events))}
    if any(code.startswith("IP10") for code in codes):
        return  # the program has caught torch's own error
    right = recorded.gradients()
    wrong = [name for name, value in plain.gradients().items() if name in right and not _close(value, right[name])]
    assert not wrong or "IP301" in codes, f"the gradients of {wrong} are wrong in\n{text}"


class _Run:
    """Runs a program and keeps its variables."""

    def __init__(self, text: str) -> None:
        forget(FILE)
        linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
        self._code = compile(text, FILE, "exec", dont_inherit=True)
        self._main = types.ModuleType("__main__")

    def __call__(self) -> None:
        with recorder._as_main(self._main), contextlib.redirect_stdout(io.StringIO()):
            exec(self._code, self._main.__dict__)

    def gradients(self) -> dict[str, torch.Tensor]:
        """The gradients of the leaves among the variables."""
        leaves = {name: value for name, value in vars(self._main).items() if _is_leaf(value)}
        return {name: value.grad for name, value in leaves.items() if value.grad is not None}


def _is_leaf(value: object) -> bool:
    return isinstance(value, torch.Tensor) and not value._is_view() and value.requires_grad and value.is_leaf


def _close(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and torch.allclose(one.clone(), other.clone(), equal_nan=True)
