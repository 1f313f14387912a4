"""Findings as plain data for `--output-format json`: 1-based rows and columns, as ruff's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.report.cells import message_in_cells
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Span


def as_json(findings: Iterable[Finding], notebooks: Notebooks | None = None) -> list[dict[str, Any]]:
    """One dictionary a finding, in the order given. Places in a notebook name their `cell`, and count its rows."""
    writer = _Writer(notebooks or {})
    return [writer.finding(finding) for finding in findings]


class _Writer:
    """Knows in which files places are those of cells."""

    def __init__(self, notebooks: Notebooks) -> None:
        self._notebooks = notebooks

    def finding(self, finding: Finding) -> dict[str, Any]:
        """One finding."""
        related = [
            {"role": one.role, "message": self._words(finding, one.message), **self.place(one.span)}
            for one in finding.related
        ]
        return {
            "code": finding.code,
            "name": finding.name,
            "severity": finding.severity,
            "message": self._words(finding, finding.message),
            "assumptions": list(finding.assumptions),
            **self.place(finding.span),
            "related": related,
            "url": hazard_url(finding.code),
            "fix": None if finding.fix is None else self._fix(finding.fix),
        }

    def _fix(self, fix: Fix) -> dict[str, Any]:
        edits = [{"content": edit.content, **self._range(edit.span)} for edit in fix.edits]
        return {"applicability": fix.applicability, "message": fix.message, "edits": edits}

    def place(self, span: Span) -> dict[str, Any]:
        """A place: of a notebook, in its cell."""
        return {"filename": span.file, **self._range(span)}

    def _range(self, span: Span) -> dict[str, Any]:
        notebook = self._notebooks.get(span.file)
        if notebook is None:
            return _range(span)
        cell, inside = notebook.in_cell(span)
        return {"cell": cell, **_range(inside)}

    def _words(self, finding: Finding, message: str) -> str:
        notebook = self._notebooks.get(finding.span.file)
        return message if notebook is None else message_in_cells(message, notebook)


def place_json(span: Span, notebooks: Notebooks) -> dict[str, Any]:
    """A place in a file, or in a cell of a notebook."""
    return _Writer(notebooks).place(span)


def _range(span: Span) -> dict[str, Any]:
    return {"location": _position(span.row, span.column), "end_location": _position(span.end_row, span.end_column)}


def _position(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column + 1}
