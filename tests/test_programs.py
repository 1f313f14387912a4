"""Every program under tests/programs: torch and the static analysis find just what its markers say."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.hazards.registry import find_all
from inplace_lsp.tape.model import Backward, Tape
from support import answer, compare, compare_static, observe

ROOT = Path(__file__).parent / "programs"
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
LOUD = ("IP1", "IP2")
MAY_BE_LOUD = (*LOUD, "IP303")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_torch_agrees_with_the_markers(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    tape = observe(text, name)
    found = answer(find_all(tape))
    compare(text, found, "torch")
    assert not tape.notes, f"the two runs differ: {tape.notes}"
    loud = any(code.startswith(LOUD) for _, code in found)
    told = any(code.startswith(MAY_BE_LOUD) for _, code in found)
    assert told or tape.error is None, f"the program fails for a reason of its own: {tape.error}"
    if loud and "try:" not in text and not _judged_at_a_return(tape):
        assert tape.error is not None, "torch itself runs this program without an error"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_static_analysis_agrees_with_the_markers(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    compare_static(text, str(ROOT / name))


def _judged_at_a_return(tape: Tape) -> bool:
    return any(isinstance(event, Backward) and event.assumed for event in tape.events)
