"""`check --fix` and `check --diff`: write or show repairs, each file in its own encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from inplace_lsp.cli import output
from inplace_lsp.cli.replace import replace_contents
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.disk import read_bytes
from inplace_lsp.files.read import UnreadableError, decode_source, find_encoding
from inplace_lsp.report.difference import diff_lines


class _RefusedError(Exception):
    """The repaired text cannot be written to the file; the message says why."""


@dataclass(frozen=True, slots=True)
class Written:
    """Number of written changes, and why files were refused: a line for each, by file name."""

    changes: int
    refused: Mapping[str, str]


def write_repairs(reports: Iterable[FileReport], given: Mapping[str, bytes]) -> Written:
    """Write the repaired texts; those `given` on standard input go to standard output."""
    made, refused = 0, {}
    for report in reports:
        try:
            _write_file(report, given)
        except (_RefusedError, OSError) as error:
            refused[report.filename] = _problem_line(report, error)
        else:
            made += report.repairs
    return Written(made, refused)


def _write_file(report: FileReport, given: Mapping[str, bytes]) -> None:
    if report.filename in given:
        try:
            click.echo(_encode_repaired(report, given[report.filename]), nl=False)
        except _RefusedError:
            click.echo(given[report.filename], nl=False)  # so that a redirected output is complete
            raise
    elif report.after != report.before:
        path = Path(report.filename).resolve()  # a link stays a link
        replace_contents(path, _encode_repaired(report, read_bytes(path)))


def _encode_repaired(report: FileReport, before: bytes) -> bytes:
    """Return the repaired file in the encoding of `before`. Raises _RefusedError."""
    if not _decodes_to(before, report.before):
        raise _RefusedError("it was changed during the check; run the check again")
    encoding = find_encoding(before)
    try:
        if report.before.encode(encoding) == before:
            after = report.after.encode(encoding)
            if decode_source(after) == report.after:
                return after
    except (UnicodeError, UnreadableError):
        pass
    raise _RefusedError(f"its encoding, {encoding}, cannot reproduce the file exactly")


def _decodes_to(data: bytes, text: str) -> bool:
    try:
        return decode_source(data) == text
    except UnreadableError:
        return False


def show_repairs(reports: Iterable[FileReport], given: Mapping[str, bytes]) -> tuple[bool, list[str]]:
    """Print what `--fix` would change as a unified diff. Return whether there is any, and what cannot be shown."""
    changed, failed = False, []
    for report in reports:
        if report.after == report.before:
            continue
        changed = True
        try:
            before = given[report.filename] if report.filename in given else read_bytes(report.filename)
            after = _encode_repaired(report, before)
        except (_RefusedError, OSError) as error:
            failed.append(_problem_line(report, error))
            continue
        name = output.display_path(report.filename).encode("utf-8", "surrogateescape")
        for line in diff_lines(before, after, name, name):
            click.echo(line, nl=False)
    return changed, failed


def _problem_line(report: FileReport, error: Exception) -> str:
    return f"{output.display_path(report.filename)}: {getattr(error, 'strerror', None) or error}"
