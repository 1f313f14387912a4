"""`check --fix` and `check --diff`: repairs written to the files, or shown; each file in its own encoding."""

from __future__ import annotations

import difflib
import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from inplace_lsp.cli import output
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.files.read import UnreadableError, decode, encoding_of


def write(reports: Iterable[FileReport], given: Mapping[str, bytes]) -> tuple[int, list[str]]:
    """Write the repaired texts; those `given`, which are not read from files, to standard output. Returns how many
    repairs that makes, and what could not be written."""
    made, failed = 0, []
    for report in reports:
        try:
            if report.filename in given:
                click.echo(report.after.encode(encoding_of(given[report.filename])), nl=False)
            elif report.after != report.before:
                _replace(Path(report.filename), report)
        except (_ChangedError, UnicodeEncodeError, OSError) as error:
            failed.append(f"{output.shown(report.filename)}: {getattr(error, 'strerror', None) or error}")
        else:
            made += report.repairs
    return made, failed


class _ChangedError(Exception):
    """The file is not what was repaired."""


def _replace(path: Path, report: FileReport) -> None:
    """Write beside the file first: whatever fails, the old text or the new one is there. A link stays a link."""
    path = path.resolve()
    before = path.read_bytes()
    if not _holds(before, report.before):
        raise _ChangedError("it was changed while it was checked; check it again")
    data = report.after.encode(encoding_of(before))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.chmod(path.stat().st_mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _holds(data: bytes, text: str) -> bool:
    try:
        return decode(data) == text
    except UnreadableError:
        return False


def show(reports: Iterable[FileReport], given: Mapping[str, bytes]) -> bool:
    """Print what `--fix` would change as a unified diff; whether there is anything."""
    changed = False
    for report in reports:
        if report.after == report.before:
            continue
        changed = True
        name, encoding = os.fsencode(output.shown(report.filename)), _encoding(report.filename, given)
        before, after = (_lines(text, encoding) for text in (report.before, report.after))
        for line in difflib.diff_bytes(difflib.unified_diff, before, after, name, name):
            click.echo(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n", nl=False)
    return changed


def _encoding(filename: str, given: Mapping[str, bytes]) -> str:
    try:
        return encoding_of(given.get(filename) or Path(filename).read_bytes())
    except (OSError, SyntaxError, LookupError):  # it was changed while it was checked
        return "utf-8"


def _lines(text: str, encoding: str) -> list[bytes]:
    """As `patch` and `git apply` count them: only `\\n` ends a line."""
    return list(io.BytesIO(text.encode(encoding, "backslashreplace")))
