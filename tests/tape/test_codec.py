"""Every tape of either recorder survives the way through JSON."""

import json
from pathlib import Path

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.tape.codec import FormatError, from_plain, to_plain
from inplace_lsp.tape.model import Tape
from support import observe

ROOT = Path(__file__).parents[1] / "programs"
PROGRAMS = sorted(ROOT.rglob("*.py"))


def through_json(tape: Tape) -> Tape:
    return from_plain(json.loads(json.dumps(to_plain(tape))))


@pytest.mark.parametrize("path", PROGRAMS[::8], ids=lambda path: path.stem)
def test_tapes_come_back_equal(path):
    text = path.read_text()
    for tape in (observe(text, path.relative_to(ROOT).as_posix()), *analyse_source(text, "/program.py").tapes):
        assert through_json(tape) == tape


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"version": 2},
        {"version": 1, "function": "f", "events": [{"kind": "unheard-of"}], "error": None, "notes": []},
        {"version": 1, "function": "f", "events": [{"kind": "free"}], "error": None, "notes": []},
        {"version": 1, "function": "f", "events": 7, "error": None, "notes": []},
    ],
)
def test_other_data_is_refused_with_a_word(data):
    with pytest.raises(FormatError):
        from_plain(data)
