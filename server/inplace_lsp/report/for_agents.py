"""Findings and answers for coding agents: the JSON of the command line, with the source lines it refers to and repairs
as diffs, so that an agent needs to read no other file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from inplace_lsp.hazards.finding import Finding, Fix, Sources
from inplace_lsp.report.as_json import as_json
from inplace_lsp.report.cells import lines_of_cells, move_to_cells
from inplace_lsp.report.difference import describe_difference
from inplace_lsp.report.outcome import Notebooks, Outcome
from inplace_lsp.report.text import frame_lines
from inplace_lsp.tape.plain import Plain

if TYPE_CHECKING:
    from inplace_lsp.why.answer import Answer

AROUND = 3
"""Number of source lines shown before and after a place."""


def outcome_for_agents(outcome: Outcome) -> dict[str, Plain]:
    """Return the findings of a check, and the number of files that were checked."""
    records = as_json(outcome.findings, outcome.notebooks)
    shown = move_to_cells(outcome)
    findings: list[Plain] = [
        {**record, **_describe_source(finding, shown), "diff": _describe_fix(original.fix, outcome)}
        for record, finding, original in zip(records, shown.findings, outcome.findings, strict=True)
    ]
    return {"findings": findings, "checked": len(outcome.checked)}


def answer_for_agents(answer: Answer, sources: Sources, notebooks: Notebooks) -> dict[str, Plain]:
    """Return the answer to "why this error", each candidate with its source lines."""
    from inplace_lsp.report.why_cells import move_answer_to_cells  # noqa: PLC0415  (a check needs none of these)
    from inplace_lsp.report.why_json import why_json  # noqa: PLC0415
    from inplace_lsp.report.why_text import candidate_frame  # noqa: PLC0415

    shown = {name: sources[name] for name in _list_files(answer)} | lines_of_cells(notebooks)
    moved = move_answer_to_cells(answer, notebooks).candidates
    frames = [candidate_frame(candidate, shown, around=AROUND) for candidate in moved]
    return why_json(answer, notebooks, [{"source": _join_lines(frame)} for frame in frames])


def _list_files(answer: Answer) -> set[str]:
    return {candidate.span.file for candidate in answer.candidates}


def _describe_source(finding: Finding, shown: Outcome) -> Mapping[str, Plain]:
    return {"source": _join_lines(frame_lines(finding, shown.sources, shown.folder, around=AROUND))}


def _join_lines(lines: Iterable[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


def _describe_fix(fix: Fix | None, outcome: Outcome) -> str | None:
    return None if fix is None else describe_difference(fix, outcome.sources, outcome.notebooks, outcome.folder)
