"""Findings as plain data for `--output-format json`: rows and columns are 1-based, as ruff's."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.report.cells import rename_lines_to_cells
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.plain import Plain


def as_json(findings: Iterable[Finding], notebooks: Notebooks | None = None) -> list[dict[str, Plain]]:
    """Return a dictionary for each finding, in order. A place in a notebook names its `cell` and counts its rows."""
    writer = _Writer(notebooks or {})
    return [writer.describe_finding(finding) for finding in findings]


class _Writer:
    """Turns findings into plain data; knows which files are notebooks."""

    def __init__(self, notebooks: Notebooks) -> None:
        self._notebooks = notebooks

    def describe_finding(self, finding: Finding) -> dict[str, Plain]:
        """Return a finding as plain data."""
        related = [
            {
                "role": place.role,
                "message": self._message_in_cell(finding, place.message),
                **self.describe_place(place.span),
            }
            for place in finding.related
        ]
        return {
            "code": finding.code,
            "name": finding.name,
            "severity": finding.severity,
            "message": self._message_in_cell(finding, finding.message),
            "assumptions": list(finding.assumptions),
            **self.describe_place(finding.span),
            "related": related,
            "after": None if finding.after is None else self._describe_row(finding.after),
            "fixable": finding.fixable,
            "advice": self._message_in_cell(finding, "; ".join(filter(None, (finding.advice, finding.neighbours)))),
            "url": hazard_url(finding.code),
            "fix": None if finding.fix is None else self._describe_fix(finding.fix),
        }

    def _describe_fix(self, fix: Fix) -> dict[str, Plain]:
        edits = [{"content": edit.content, **self._range_in_cell(edit.span)} for edit in fix.edits]
        return {"applicability": fix.applicability, "message": fix.message, "edits": edits}

    def describe_place(self, span: Span) -> dict[str, Plain]:
        """Return a place, in a notebook relative to its cell."""
        return {"filename": span.file, **self._range_in_cell(span)}

    def _describe_row(self, span: Span) -> dict[str, Plain]:
        notebook = self._notebooks.get(span.file)
        if notebook is None:
            return {"filename": span.file, "row": span.row}
        cell, inside = notebook.in_cell(span)
        return {"filename": span.file, "cell": cell, "row": inside.row}

    def _range_in_cell(self, span: Span) -> dict[str, Plain]:
        notebook = self._notebooks.get(span.file)
        if notebook is None:
            return _range_as_json(span)
        cell, inside = notebook.in_cell(span)
        return {"cell": cell, **_range_as_json(inside)}

    def _message_in_cell(self, finding: Finding, message: str) -> str:
        notebook = self._notebooks.get(finding.span.file)
        return message if notebook is None else rename_lines_to_cells(message, notebook)


def place_json(span: Span, notebooks: Notebooks) -> dict[str, Plain]:
    """Return a place in a file, or in a cell of a notebook."""
    return _Writer(notebooks).describe_place(span)


def _range_as_json(span: Span) -> dict[str, Plain]:
    return {
        "location": _position_as_json(span.row, span.column),
        "end_location": _position_as_json(span.end_row, span.end_column),
    }


def _position_as_json(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column + 1}
