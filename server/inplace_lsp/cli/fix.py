"""`check --fix` and `check --diff`: repairs written to the files, or shown; each file in its own encoding."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from inplace_lsp.cli import output
from inplace_lsp.cli.replace import replace
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.disk import read_bytes
from inplace_lsp.files.read import UnreadableError, decode, encoding_of


class _RefusedError(Exception):
    """The repaired text cannot stand for the file; the message says why."""


def write(reports: Iterable[FileReport], given: Mapping[str, bytes]) -> tuple[int, list[str]]:
    """Write the repaired texts; those `given`, which are not read from files, to standard output. Returns how many
    repairs that makes, and what could not be written."""
    made, failed = 0, []
    for report in reports:
        try:
            _write(report, given)
        except (_RefusedError, OSError) as error:
            failed.append(_line(report, error))
        else:
            made += report.repairs
    return made, failed


def _write(report: FileReport, given: Mapping[str, bytes]) -> None:
    if report.filename in given:
        try:
            click.echo(_repaired(report, given[report.filename]), nl=False)
        except _RefusedError:
            click.echo(given[report.filename], nl=False)  # whoever redirects it loses nothing
            raise
    elif report.after != report.before:
        path = Path(report.filename).resolve()  # a link stays a link
        replace(path, _repaired(report, read_bytes(path)))


def _repaired(report: FileReport, before: bytes) -> bytes:
    """The bytes of the repaired file, as those `before` are encoded. Raises _RefusedError."""
    if not _holds(before, report.before):
        raise _RefusedError("it was changed while it was checked; check it again")
    encoding = encoding_of(before)
    try:
        if report.before.encode(encoding) == before:
            after = report.after.encode(encoding)
            if decode(after) == report.after:
                return after
    except (UnicodeError, UnreadableError):
        pass
    raise _RefusedError(f"its encoding, {encoding}, would not give back what is there")


def _holds(data: bytes, text: str) -> bool:
    try:
        return decode(data) == text
    except UnreadableError:
        return False


def show(reports: Iterable[FileReport], given: Mapping[str, bytes]) -> tuple[bool, list[str]]:
    """Print what `--fix` would change as a unified diff. Returns whether there is any, and what cannot be shown."""
    changed, failed = False, []
    for report in reports:
        if report.after == report.before:
            continue
        changed = True
        try:
            before = given[report.filename] if report.filename in given else read_bytes(report.filename)
            after = _repaired(report, before)
        except (_RefusedError, OSError) as error:
            failed.append(_line(report, error))
            continue
        name = output.shown(report.filename).encode("utf-8", "surrogateescape")
        for line in difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), name, name):
            click.echo(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n", nl=False)
    return changed, failed


def _lines(data: bytes) -> list[bytes]:
    """As `patch` and `git apply` count them: only `\\n` ends a line."""
    return list(io.BytesIO(data))


def _line(report: FileReport, error: Exception) -> str:
    return f"{output.shown(report.filename)}: {getattr(error, 'strerror', None) or error}"
