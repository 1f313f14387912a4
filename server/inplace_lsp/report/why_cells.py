"""The answer to "why this error" with the places of notebooks in their cells."""

from __future__ import annotations

from dataclasses import replace

from inplace_lsp.report.cells import message_in_cells, span_in_cells
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.tape.model import Span
from inplace_lsp.why.answer import Answer, Unreached
from inplace_lsp.why.ranking import Candidate


def in_cells(answer: Answer, notebooks: Notebooks) -> Answer:
    """Each cell as a file of its own: `study.ipynb:cell 3`."""
    if not notebooks:
        return answer
    candidates = tuple(_moved(in_words_of_cells(one, notebooks), notebooks) for one in answer.candidates)
    return replace(
        answer, candidates=candidates, unreached=tuple(_unreached(one, notebooks) for one in answer.unreached)
    )


def in_words_of_cells(candidate: Candidate, notebooks: Notebooks) -> Candidate:
    """The candidate, its words naming lines of cells where it is in a notebook; its places as they are."""
    notebook = notebooks.get(candidate.span.file)
    if notebook is None:
        return candidate
    related = tuple(replace(one, message=message_in_cells(one.message, notebook)) for one in candidate.related)
    reasons = tuple(message_in_cells(one, notebook) for one in candidate.reasons)
    return replace(candidate, message=message_in_cells(candidate.message, notebook), related=related, reasons=reasons)


def _moved(candidate: Candidate, notebooks: Notebooks) -> Candidate:
    related = tuple(replace(one, span=span_in_cells(one.span, notebooks)) for one in candidate.related)
    return replace(candidate, span=span_in_cells(candidate.span, notebooks), related=related)


def _unreached(one: Unreached, notebooks: Notebooks) -> Unreached:
    span = span_in_cells(Span(one.filename, one.row, 0, one.row, 0), notebooks)
    return replace(one, filename=span.file, row=span.row)
