"""A command line for programs that are run without one: options that they require get a value by their types, batches
are small."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence

_VALUES: dict[object, str] = {int: "1", float: "0.1"}
_BATCH = 4
"""So many elements of a batch are enough: a run shall not take long."""
_LISTED = re.compile(r"([\w-]+)(?:\s*\|\s*[\w-]+)+")
"""Choices in the text of a help: `cifar10 | svhn`."""
_PARSE = argparse.ArgumentParser.parse_known_args


def fill_command_line(note: Callable[[str], object]) -> None:
    """Let argparse's parsers of a program that is run without arguments take made-up ones for those that they require,
    and for the size of batches. `note` is told of them."""

    def parse_filled(
        self: argparse.ArgumentParser, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        made_up = list(_make_up_arguments(self)) if args is None and len(sys.argv) == 1 else []
        if not made_up:
            return _PARSE(self, args, namespace)
        note(f"arguments of the program were made up: {' '.join(made_up)}")
        return _PARSE(self, made_up, namespace)

    argparse.ArgumentParser.parse_known_args = parse_filled  # type: ignore[assignment, method-assign]


def _make_up_arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the arguments that a parser requires, and nothing has by default, and a small size of batches."""
    for action in parser._actions:
        if "batch" in action.dest and action.option_strings and type(action.default) is int and action.nargs is None:
            yield from (action.option_strings[-1], str(min(action.default, _BATCH)))
        if action.required and action.nargs not in ("?", "*", argparse.REMAINDER):
            yield from action.option_strings[-1:]
            yield from _make_up_values(action)


def _make_up_values(action: argparse.Action) -> list[str]:
    count = action.nargs if isinstance(action.nargs, int) else 1
    if action.choices:
        return [str(next(iter(action.choices)))] * count
    listed = _LISTED.search(action.help or "")
    if listed is not None and action.type in (None, str):
        return [listed[1]] * count
    return [_VALUES.get(action.type, action.dest)] * count
