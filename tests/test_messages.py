"""No sentence that people read is missing from the table of messages (tests/website holds docs/messages.md to it)."""

from __future__ import annotations

from pathlib import Path

import pytest

import inplace_lsp
from tools.message_table.page import write_messages
from tools.message_table.templates import as_cell, is_prose, sentences_in

PACKAGE = Path(inplace_lsp.__file__).parent
SPEAKING = (
    *sorted(path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "hazards").glob("ip*.py")),
    *("hazards/overwritten.py", "hazards/refused.py", "hazards/wording.py", "hazards/parts.py"),
    *("hazards/assumptions.py", "hazards/evidence.py", "hazards/merge.py", "verify/compare.py"),
    *("report/tape_words.py", "report/violations.py", "report/safe_writes.py", "report/labels.py"),
    *("verify/verdict.py", "verify/prove.py", "verify/absence.py", "verify/next_steps.py", "verify/gradients.py"),
    *("verify/target.py", "verify/options.py", "why/evidence.py", "why/ranking.py", "why/freed.py", "why/makers.py"),
    *("why/saves.py", "why/refusals.py", "config.py", "disk.py", "files/read.py", "files/walk.py"),
    *sorted(path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "cli").glob("*.py")),
)
"""The files whose sentences people read."""
WITHOUT_EXAMPLE = {
    "`: that is the weight that a linear layer keeps",
    "what is known of its shape fits",
    "this backward may need it",
    "nothing there is known to require grad",
}
"""What takes a larger program than a table has room for; tests/why sees these."""


@pytest.fixture(scope="module")
def table() -> str:
    return write_messages()


@pytest.mark.parametrize("name", SPEAKING)
def test_every_sentence_has_an_example(name: str, table: str) -> None:
    texts = sentences_in((PACKAGE / name).read_text(encoding="utf-8"))
    pieces = [piece for text in texts for piece in text if is_prose(piece) and piece.strip() not in WITHOUT_EXAMPLE]
    missing = [piece for piece in pieces if as_cell(piece) not in table]
    assert not missing, "add a program that brings these about to tools/message_table/"
