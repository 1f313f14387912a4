"""The answer to "why this error" with places in notebook cells."""

from __future__ import annotations

from dataclasses import replace

from inplace_lsp.report.cells import move_span_to_cell, rename_lines_to_cells
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.tape.model import Span
from inplace_lsp.why.answer import Answer, Unreached
from inplace_lsp.why.ranking import Candidate


def move_answer_to_cells(answer: Answer, notebooks: Notebooks) -> Answer:
    """Return the answer with each cell as a file of its own: `study.ipynb:cell 3`."""
    if not notebooks:
        return answer
    candidates = tuple(
        _move_candidate(reword_for_cells(candidate, notebooks), notebooks) for candidate in answer.candidates
    )
    return replace(
        answer, candidates=candidates, unreached=tuple(_move_unreached(gap, notebooks) for gap in answer.unreached)
    )


def reword_for_cells(candidate: Candidate, notebooks: Notebooks) -> Candidate:
    """Return the candidate with its words naming lines of cells; its places stay."""
    notebook = notebooks.get(candidate.span.file)
    if notebook is None:
        return candidate
    related = tuple(
        replace(place, message=rename_lines_to_cells(place.message, notebook)) for place in candidate.related
    )
    reasons = tuple(rename_lines_to_cells(reason, notebook) for reason in candidate.reasons)
    return replace(
        candidate, message=rename_lines_to_cells(candidate.message, notebook), related=related, reasons=reasons
    )


def _move_candidate(candidate: Candidate, notebooks: Notebooks) -> Candidate:
    related = tuple(replace(place, span=move_span_to_cell(place.span, notebooks)) for place in candidate.related)
    return replace(candidate, span=move_span_to_cell(candidate.span, notebooks), related=related)


def _move_unreached(gap: Unreached, notebooks: Notebooks) -> Unreached:
    span = move_span_to_cell(Span(gap.filename, gap.row, 0, gap.row, 0), notebooks)
    return replace(gap, filename=span.file, row=span.row)
