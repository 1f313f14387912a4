"""Read what the recorder of a script has written: a file for each process that had an error."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from inplace_lsp.cli.problems import print_problem
from inplace_lsp.tape.codec import FormatError, from_plain
from inplace_lsp.tape.kept_memory import KeptMemory
from inplace_lsp.tape.model import Tape
from inplace_lsp.tape.plain import build_dataclass


@dataclass(frozen=True, slots=True)
class ObservedError:
    """An error of a process."""

    tape: Tape | None
    """What led to the error; None if it was not recorded."""
    uncaught: bool
    rank: int | None
    """The number of the process among those of a launcher."""
    error: str = ""
    """The text of the error, if there is no tape."""
    unseen: tuple[tuple[str, int], ...] = ()
    """The lines (file, row) that started work that cannot be recorded, if there is no tape."""


def read_observed_errors(folder: str) -> list[ObservedError]:
    """Return the errors in the folder by rank, uncaught ones first. Report files that cannot be read."""
    found: list[ObservedError] = []
    for file in sorted(Path(folder).glob("*.json")):
        try:
            found += _read_file(file)
        except (OSError, ValueError, KeyError, FormatError) as error:
            print_problem(f"the trace cannot be read: {error}")
    return sorted(found, key=lambda each: (not each.uncaught, each.rank or 0))


def read_kept_memory(folder: str) -> list[KeptMemory]:
    """Return what the graphs of each process kept, by rank. Report files that cannot be read."""
    found: list[KeptMemory] = []
    for file in sorted(Path(folder).glob("*.memory")):
        try:
            found.append(build_dataclass(KeptMemory, json.loads(file.read_text(encoding="utf-8"))))
        except (OSError, ValueError, KeyError, TypeError) as error:
            print_problem(f"the memory that was measured cannot be read: {error}")
    return sorted(found, key=lambda memory: memory.rank or 0)


def _read_file(file: Path) -> list[ObservedError]:
    """Return the errors of a process: those that it caught, and the last."""
    answer = json.loads(file.read_text(encoding="utf-8"))
    tape = None if answer["tape"] is None else from_plain(answer["tape"])
    unseen = tuple((name, row) for name, row in answer.get("unseen", ()))
    last = ObservedError(tape, answer["uncaught"], answer["rank"], answer.get("error", ""), unseen)
    caught = [ObservedError(from_plain(each), False, answer["rank"]) for each in answer.get("caught", ())]
    return [*caught, last]
