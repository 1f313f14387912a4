"""The recorder says of every backward what torch without hooks does there, up to the first that torch refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated.levels import LEVELS, program, seeds_of
from inplace_lsp.hazards.hits import find_loud_hits
from inplace_lsp.tape.autograd import is_checked
from inplace_lsp.tape.model import Backward, Check, Save, Tape
from truth import truth

ROOT = Path(__file__).parents[1] / "programs"
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_backward_of_the_programs(name: str) -> None:
    hold_against_torch((ROOT / name).read_text(encoding="utf-8"), name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("level", LEVELS)
def test_each_backward_of_random_programs(level: int) -> None:
    for seed in seeds_of(level):
        hold_against_torch(program(level, seed))


def hold_against_torch(text: str, filename: str = "program.py") -> None:
    known = truth(text, filename)
    heard, told = list(known.heard), raising(known.tape)
    until = heard.index(True) + 1 if True in heard else len(heard)  # a walk that broke off has not freed all it would
    assert told[:until] == heard[:until], text
    assert known.ended is not None or True in heard or len(told) == len(heard), text


def raising(tape: Tape) -> list[bool]:
    """For each backward of the tape, whether a check in it fails."""
    checked = (event for event in tape.events if isinstance(event, Save) and is_checked(event))
    saved = {event.key: event.tensor.version for event in checked}
    failing = {
        event.backward
        for event in tape.events
        if isinstance(event, Check)
        and (event.freed or event.found_version != saved.get(event.save, event.found_version))
    }
    failing |= {hit.check.backward for hit in find_loud_hits(tape)}
    return [event.key in failing for event in tape.events if isinstance(event, Backward) and not event.assumed]
