"""`check --fix` and `check --diff`: repairs written to the files, or shown."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

import click

from inplace_lsp.cli import output
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.files.read import encoding_of


def write(reports: Iterable[FileReport], from_stdin: str | None) -> list[str]:
    """Write the repaired texts; that of standard input goes to standard output. Returns what could not be written."""
    failed = []
    for report in reports:
        if report.filename == from_stdin:
            click.echo(report.after, nl=False)
        elif report.after != report.before:
            try:
                _replace(Path(report.filename), report)
            except (OSError, UnicodeEncodeError) as error:
                failed.append(f"{output.shown(report.filename)}: {error}")
    return failed


def _replace(path: Path, report: FileReport) -> None:
    """Write beside the file first: whatever fails, the old text or the new one is there."""
    data = report.after.encode(encoding_of(path.read_bytes()))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.chmod(path.stat().st_mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def show(reports: Iterable[FileReport]) -> bool:
    """Print what `--fix` would change as a unified diff; whether there is anything."""
    changed = False
    for report in reports:
        if report.after == report.before:
            continue
        changed = True
        name = output.shown(report.filename)
        before, after = (text.splitlines(keepends=True) for text in (report.before, report.after))
        for line in difflib.unified_diff(before, after, name, name):
            click.echo(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n", nl=False)
    return changed
