"""The JSON of reviewdog, which comments on pull requests of many code hosts.

https://github.com/reviewdog/reviewdog/tree/master/proto/rdf; columns there count the bytes of UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from inplace_lsp.hazards.finding import Finding, Fix, Severity
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.paths import shortened
from inplace_lsp.report.urls import DOCS_URL, hazard_url
from inplace_lsp.tape.model import Span

_SEVERITIES: dict[Severity, str] = {"error": "ERROR", "warning": "WARNING", "information": "INFO", "hint": "INFO"}


def write(outcome: Outcome, file: TextIO) -> None:
    """Write one result with all diagnostics."""
    diagnostics = [_diagnostic(finding, outcome) for finding in outcome.findings]
    result = {"source": {"name": "inplace-lsp", "url": DOCS_URL}, "diagnostics": diagnostics}
    file.write(json.dumps(result, indent=2) + "\n")


def _diagnostic(finding: Finding, outcome: Outcome) -> dict[str, Any]:
    return {
        "message": shortened(finding.message, outcome.folder),
        "location": _location(finding.span, outcome),
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.code, "url": hazard_url(finding.code)},
        "suggestions": _suggestions(finding.fix, outcome),
        "related_locations": [
            {"message": shortened(related.message, outcome.folder), "location": _location(related.span, outcome)}
            for related in finding.related
        ],
    }


def _suggestions(fix: Fix | None, outcome: Outcome) -> list[dict[str, Any]]:
    """A suggestion is applied by itself: a repair of several edits cannot be said."""
    if fix is None or fix.applicability == "display" or len(fix.edits) != 1:
        return []
    return [{"range": _range(edit.span, outcome), "text": edit.content} for edit in fix.edits]


def _location(span: Span, outcome: Outcome) -> dict[str, Any]:
    return {"path": span.file, "range": _range(span, outcome)}


def _range(span: Span, outcome: Outcome) -> dict[str, Any]:
    lines = outcome.sources[span.file]
    return {"start": _position(lines, span.row, span.column), "end": _position(lines, span.end_row, span.end_column)}


def _position(lines: Sequence[str], row: int, column: int) -> dict[str, int]:
    before = lines[row - 1][:column] if row <= len(lines) else " " * column
    return {"line": row, "column": len(before.encode("utf-8", "surrogatepass")) + 1}
