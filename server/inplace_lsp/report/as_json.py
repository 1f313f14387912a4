"""Findings as plain data for `--output-format json`: 1-based rows and columns, as ruff's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inplace_lsp.hazards.finding import Finding, Fix, Related
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Span


def as_json(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """One dictionary a finding, in the order given."""
    return [_finding(finding) for finding in findings]


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "assumptions": list(finding.assumptions),
        **_place(finding.span),
        "related": [_related(related) for related in finding.related],
        "url": hazard_url(finding.code),
        "fix": None if finding.fix is None else _fix(finding.fix),
    }


def _related(related: Related) -> dict[str, Any]:
    return {"role": related.role, "message": related.message, **_place(related.span)}


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{"content": edit.content, **_range(edit.span)} for edit in fix.edits]
    return {"applicability": fix.applicability, "message": fix.message, "edits": edits}


def _place(span: Span) -> dict[str, Any]:
    return {"filename": span.file, **_range(span)}


def _range(span: Span) -> dict[str, Any]:
    return {"location": _position(span.row, span.column), "end_location": _position(span.end_row, span.end_column)}


def _position(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column + 1}
