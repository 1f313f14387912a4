"""A command line for programs that are run without one: options that they require get a value by their types, batches
are small."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence

_VALUES: dict[object, str] = {int: "1", float: "0.1"}
_BATCH = 4
"""Number of elements in a batch that a made-up command line asks for: a run shall not take long."""
_LISTED = re.compile(r"([\w-]+)(?:\s*\|\s*[\w-]+)+")
"""Choices in the text of a help: `cifar10 | svhn`."""
_PARSE = argparse.ArgumentParser.parse_known_args


def fill_command_line(note: Callable[[str], object]) -> None:
    """Let argparse's parsers of a program that is run without arguments take made-up ones for those that they require,
    and for the size of batches. `note` gets a sentence about them."""

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
    """Yield the arguments that a parser requires, and nothing has by default, and a small size of batches; those of a
    command behind the others."""
    commands: list[str] = []
    for action in parser._actions:
        if "batch" in action.dest and action.option_strings and type(action.default) is int and action.nargs is None:
            yield from (*_choose_option(action), str(min(action.default, _BATCH)))
    for action in _list_required(parser):
        if isinstance(action, argparse._SubParsersAction):
            commands += _make_up_command(action)
            continue
        yield from _choose_option(action)
        yield from _make_up_values(action)
    yield from commands


def _list_required(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments that a parser requires, and the first of each group of which it requires one."""
    for action in parser._actions:
        if action.required and action.nargs not in ("?", "*", argparse.REMAINDER):
            yield action
    for group in parser._mutually_exclusive_groups:
        if group.required:
            yield from group._group_actions[:1]


def _make_up_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> list[str]:
    """Return the first command of a program, with the arguments that it requires."""
    name, parser = next(iter(commands.choices.items()), ("", None))
    return [name, *_make_up_arguments(parser)] if parser is not None else []


def _choose_option(action: argparse.Action) -> list[str]:
    """Return the first long spelling of an option: a later one may turn it off, as `--no-log` does."""
    spellings = action.option_strings
    return [next((one for one in spellings if one.startswith("--")), spellings[0])] if spellings else []


def _make_up_values(action: argparse.Action) -> list[str]:
    count = action.nargs if isinstance(action.nargs, int) else 1
    if action.choices:
        return [str(next(iter(action.choices)))] * count
    listed = _LISTED.search(action.help or "")
    if listed is not None and action.type in (None, str):
        return [listed[1]] * count
    return [_VALUES.get(action.type) or _find_accepted(action)] * count


def _find_accepted(action: argparse.Action) -> str:
    """Return the name of an argument, or a number where its type takes no name."""
    for text in (action.dest, *_VALUES.values()):
        try:
            if callable(action.type):
                action.type(text)
        except Exception:  # a type is any function of the program
            continue
        return text
    return action.dest
