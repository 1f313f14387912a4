"""The recorder says of every single backward what torch without hooks does there."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.tape.model import Backward, Check, Save, Tape
from support import observe
from unhooked_torch import outcomes

ROOT = Path(__file__).parents[1] / "programs"
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def raising(tape: Tape) -> list[bool]:
    """For each backward of the tape, whether a check in it fails."""
    saved = {event.key: event.tensor.version for event in tape.events if isinstance(event, Save)}
    failing = {
        event.backward
        for event in tape.events
        if isinstance(event, Check) and (event.freed or event.found_version != saved[event.save])
    }
    return [event.key in failing for event in tape.events if isinstance(event, Backward) and not event.assumed]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_backward_as_torch_has_it(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    heard, error = outcomes(text, name)
    told = raising(observe(text, name))
    if error is not None:
        told = told[: len(heard)]
    assert told == heard
