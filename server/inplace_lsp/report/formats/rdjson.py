"""The JSON of reviewdog, which comments on pull requests of many code hosts.

https://github.com/reviewdog/reviewdog/tree/master/proto/rdf; columns there count the bytes of UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from inplace_lsp.hazards.finding import Finding, Fix, Severity
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.paths import shorten_paths
from inplace_lsp.report.urls import DOCS_URL, hazard_url
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.plain import Plain

_SEVERITIES: dict[Severity, str] = {"error": "ERROR", "warning": "WARNING", "information": "INFO", "hint": "INFO"}


def write(outcome: Outcome, file: TextIO) -> None:
    """Write one result with all diagnostics."""
    diagnostics = [_make_diagnostic(finding, outcome) for finding in outcome.findings]
    result = {"source": {"name": "inplace-lsp", "url": DOCS_URL}, "diagnostics": diagnostics}
    file.write(json.dumps(result, indent=2) + "\n")


def _make_diagnostic(finding: Finding, outcome: Outcome) -> dict[str, Plain]:
    return {
        "message": shorten_paths(finding.message, outcome.folder),
        "location": _make_location(finding.span, outcome),
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.code, "url": hazard_url(finding.code)},
        "suggestions": _make_suggestions(finding.fix, outcome),
        "related_locations": [
            {
                "message": shorten_paths(related.message, outcome.folder),
                "location": _make_location(related.span, outcome),
            }
            for related in finding.related
        ],
    }


def _make_suggestions(fix: Fix | None, outcome: Outcome) -> list[dict[str, Plain]]:
    """Return the repair if it is a single edit: reviewdog applies each suggestion by itself."""
    if fix is None or fix.applicability == "display" or len(fix.edits) != 1:
        return []
    return [{"range": _make_range(edit.span, outcome), "text": edit.content} for edit in fix.edits]


def _make_location(span: Span, outcome: Outcome) -> dict[str, Plain]:
    return {"path": span.file, "range": _make_range(span, outcome)}


def _make_range(span: Span, outcome: Outcome) -> dict[str, Plain]:
    lines = outcome.sources[span.file]
    return {
        "start": _position_in_bytes(lines, span.row, span.column),
        "end": _position_in_bytes(lines, span.end_row, span.end_column),
    }


def _position_in_bytes(lines: Sequence[str], row: int, column: int) -> dict[str, int]:
    before = lines[row - 1][:column] if row <= len(lines) else " " * column
    return {"line": row, "column": len(before.encode("utf-8", "surrogatepass")) + 1}
