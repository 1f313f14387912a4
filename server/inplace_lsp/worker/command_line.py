"""A command line for programs that require options: what nobody gives gets a value by its type."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence

_VALUES: dict[object, str] = {int: "1", float: "0.1"}
_PARSE = argparse.ArgumentParser.parse_known_args


def fill_command_line(note: Callable[[str], object]) -> None:
    """Let argparse's parsers of a program that is run without arguments take made-up ones for those that they require.
    `note` is told of them."""

    def parse_filled(
        self: argparse.ArgumentParser, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        made_up = list(_make_up_arguments(self)) if args is None and len(sys.argv) == 1 else []
        if not made_up:
            return _PARSE(self, args, namespace)
        note(f"the program requires arguments; made up: {' '.join(made_up)}")
        return _PARSE(self, made_up, namespace)

    argparse.ArgumentParser.parse_known_args = parse_filled  # type: ignore[assignment, method-assign]


def _make_up_arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the arguments that a parser requires, and nothing has by default."""
    for action in parser._actions:
        if action.required and action.nargs not in ("?", "*", argparse.REMAINDER):
            yield from action.option_strings[-1:]
            yield from _make_up_values(action)


def _make_up_values(action: argparse.Action) -> list[str]:
    count = action.nargs if isinstance(action.nargs, int) else 1
    if action.choices:
        return [str(next(iter(action.choices)))] * count
    return [_VALUES.get(action.type, action.dest)] * count
