"""What a run changed is put back before the next one: fields that are passed over there are never assigned to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.interpret.state.snapshot import SETTLED

PROGRAMS = Path(__file__).parent / "programs"
FEW = 7
"""Every seventh program."""


@pytest.fixture
def assigned(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The settled fields that have been assigned to again."""
    found: set[str] = set()

    def watch(kind: type, settled: frozenset[str]) -> None:
        plainly = kind.__setattr__

        def assign(self: Any, name: str, value: object) -> None:
            if name in settled and getattr(self, name, value) is not value:
                found.add(f"{kind.__name__}.{name}")
            plainly(self, name, value)

        monkeypatch.setattr(kind, "__setattr__", assign)

    for kind, settled in SETTLED.items():
        watch(kind, settled)
    yield found


def test_settled_fields_are_assigned_once(assigned: set[str]):
    for program in sorted(PROGRAMS.rglob("*.py"))[::FEW]:
        analyse_source(program.read_text(encoding="utf-8"), str(program))
    assert assigned == set()
