"""The messages that torch itself gives for the suite's programs lead to the lines that their markers name."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.report.lines import split_lines
from inplace_lsp.why.answer import Answer, explain_errors
from inplace_lsp.why.gather import FileClues, gather_clues
from inplace_lsp.why.reading import read_errors
from support import expected
from why.messages import PROGRAMS, QUOTES, WRAPPERS, run_program

FOLDERS = ("saves", "training", "modules", "leaves_and_views", "functions", "version_counters")
LOUD = ("IP1", "IP2")
SHARE = 0.98
"""So many of the messages must lead to the line, with nothing before it."""


class Sources(dict[str, Sequence[str]]):
    def __missing__(self, name: str) -> Sequence[str]:
        self[name] = split_lines(Path(name).read_text(encoding="utf-8"))
        return self[name]


SOURCES = Sources()
Message = tuple[Path, str]


@pytest.fixture(scope="module")
def failing() -> list[Message]:
    """The programs with one hazard that torch tells of, each with what it prints."""
    paths = (path for folder in FOLDERS for path in sorted((PROGRAMS / folder).rglob("*.py")))
    with_one = (path for path in paths if len(rows_of(path)) == 1)
    return [(path, text) for path in with_one if read_errors(text := run_program(path))]


@pytest.fixture(scope="module")
def project(failing: list[Message]) -> dict[Path, FileClues]:
    """What the analysis knows of those programs, as if they were the files of one project."""
    return {path: gather_clues(path.read_text(encoding="utf-8"), str(path), make_facts(DEFAULT)) for path, _ in failing}


def rows_of(path: Path) -> set[int]:
    return {row for row, code in expected(path.read_text(encoding="utf-8")) if code.startswith(LOUD)}


def ask(text: str, files: Iterable[FileClues]) -> Answer | None:
    errors = read_errors(text)
    return explain_errors(errors, list(files), SOURCES) if errors else None


def is_first(answer: Answer | None, path: Path) -> bool:
    if answer is None or not answer.candidates:
        return False
    first = answer.candidates[0].span
    return first.file == str(path) and first.row in rows_of(path)


def test_there_are_enough(failing: list[Message]) -> None:
    assert len(failing) >= 40


def test_with_tracebacks_among_the_files_of_a_project(failing: list[Message], project: dict[Path, FileClues]) -> None:
    """Each message goes through one of the wrappers, in turn."""
    wrapped = [(path, wrap(text)) for (path, text), wrap in zip(failing, itertools.cycle(WRAPPERS), strict=False)]
    wrong = [str(path) for path, text in wrapped if not is_first(ask(text, project.values()), path)]
    assert len(wrong) <= (1 - SHARE) * len(failing), wrong


@pytest.mark.parametrize("wrap", [*WRAPPERS, *QUOTES])
def test_every_way_in_which_people_see_it(
    wrap: Callable[[str], str], failing: list[Message], project: dict[Path, FileClues]
) -> None:
    wrong = [str(path) for path, text in failing if not is_first(ask(wrap(text), [project[path]]), path)]
    assert len(wrong) <= (1 - SHARE) * len(failing), wrong


def test_anomaly_mode(failing: list[Message], project: dict[Path, FileClues]) -> None:
    ran = [(path, run_program(path, anomaly=True)) for path, _ in failing[::4]]
    told = [(path, text) for path, text in ran if read_errors(text)]  # an op may have no kernel for anomaly mode
    assert len(told) >= len(ran) - 1
    wrong = [str(path) for path, text in told if not is_first(ask(text, project.values()), path)]
    assert len(wrong) <= (1 - SHARE) * len(told), wrong
