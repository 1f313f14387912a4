"""Fingerprints that recognise a finding when the lines above it have moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from inplace_lsp.hazards.finding import Finding, Sources
from inplace_lsp.report.paths import relative_path
from inplace_lsp.tape.model import Span

if TYPE_CHECKING:
    from inplace_lsp.source.units import Unit


def make_fingerprints(findings: Iterable[Finding], sources: Sources, root: str) -> list[str]:
    """Return a distinct fingerprint for each finding.

    It is made of the file (relative to `root`), the code, the enclosing function and the statement's text without white
    space; findings equal in all of these are numbered. Rows, columns, messages (which name rows) and the call that led
    to the finding do not count.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    made = []
    for known_by in _describe_findings(findings, sources, root):
        made.append(_digest_of(*known_by, str(seen[known_by])))
        seen[known_by] += 1
    return made


def make_marks(findings: Iterable[Finding], sources: Sources, root: str) -> list[str]:
    """Return a mark for each finding: its fingerprint without the number, so that equal findings share a mark."""
    return [_digest_of(*known_by) for known_by in _describe_findings(findings, sources, root)]


def _describe_findings(findings: Iterable[Finding], sources: Sources, root: str) -> Iterator[tuple[str, ...]]:
    functions = FunctionNames(sources)
    for finding in findings:
        yield (
            relative_path(finding.span.file, root),
            finding.code,
            functions.name_at(finding.span),
            statement_text(finding.span, sources).replace(" ", ""),
        )


def statement_text(span: Span, sources: Sources) -> str:
    """Return the source text of `span` with white space collapsed; "" if its file cannot be shown."""
    lines = sources[span.file][span.row - 1 : span.end_row]
    if not lines:
        return ""
    whole = [*lines[:-1], lines[-1][: span.end_column] if len(lines) == span.end_row - span.row + 1 else lines[-1]]
    return " ".join("\n".join(whole)[span.column :].split())


class FunctionNames:
    """The names of functions; each file is read once."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._units: dict[str, tuple[Unit, ...]] = {}

    def name_at(self, span: Span) -> str:
        """Return the qualified name of the function that `span` lies in; "" for what is in none."""
        from inplace_lsp.source.functions import find_function_at  # noqa: PLC0415  (loads what reads programs)
        from inplace_lsp.source.units import read_source  # noqa: PLC0415

        if span.file not in self._units:
            self._units[span.file] = read_source("\n".join(self._sources[span.file])).units
        found = find_function_at(self._units[span.file], span.row)
        return found.name if found else ""


def _digest_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
