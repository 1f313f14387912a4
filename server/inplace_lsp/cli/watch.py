"""`check --watch`: check again whenever a relevant file has changed."""

from __future__ import annotations

import gc
import os
import sys

import click
from watchfiles import watch as changes_below

from inplace_lsp import config
from inplace_lsp.cli.check_once import check_once
from inplace_lsp.cli.check_options import CheckOptions
from inplace_lsp.files.walk import CHECKED, SKIPPED

OTHERS = ("pyproject.toml", ".gitignore")
"""Names of other files whose changes cause another check."""

TURN = 200
"""Milliseconds between two looks at the files."""


def watch_files(wanted: CheckOptions) -> int:
    """Check until Ctrl-C."""
    folders = _list_folders(wanted.paths or (".",))
    if not folders:
        return check_once(wanted)  # which says what is missing
    begun = False
    for changes in changes_below(
        *folders,
        watch_filter=lambda _, path: _is_watched(path, folders),
        yield_on_timeout=True,  # and so, before the first change: what changes while the first check runs is seen
        rust_timeout=TURN,
        raise_interrupt=True,
    ):
        if changes or not begun:
            _check_again(wanted)
        begun = True
    return 0


def _list_folders(paths: tuple[str, ...]) -> list[str]:
    """Return the folders to watch: a file's own folder, since editors replace files."""
    there = (os.path.abspath(path) for path in paths if os.path.exists(path))
    return list(dict.fromkeys(path if os.path.isdir(path) else os.path.dirname(path) for path in there))


def _is_watched(path: str, folders: list[str]) -> bool:
    """Return whether a path is a source or configuration file outside ignored folders."""
    folder = max((other for other in folders if path.startswith(other)), key=len, default="")
    inside = os.path.relpath(path, folder or None).split(os.sep)[:-1]
    return path.endswith((*CHECKED, *OTHERS)) and SKIPPED.isdisjoint(inside)


def _check_again(wanted: CheckOptions) -> None:
    if sys.stdout.isatty():
        click.clear()
    config.forget_configs()
    check_once(wanted)
    gc.unfreeze()  # each check freezes what it finds
    gc.collect()
    if not wanted.quiet:
        click.echo("Watching for changes; Ctrl-C ends it.", err=True)
