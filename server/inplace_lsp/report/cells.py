"""Move places in notebooks: to cells for people, to lines of the file for programs that know nothing of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.notebooks import Notebook
from inplace_lsp.report.lines import split_lines
from inplace_lsp.report.outcome import Failure, Notebooks, Outcome
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.move import move_tape

if TYPE_CHECKING:
    from inplace_lsp.verify.verdict import Verdict


def move_to_cells(outcome: Outcome) -> Outcome:
    """Return the outcome with each cell as a file of its own: `study.ipynb:cell 3`."""
    if not outcome.notebooks:
        return outcome
    sources = lines_of_cells(outcome.notebooks)
    findings = [_move_finding(finding, outcome.notebooks, _to_cell) for finding in outcome.findings]
    others = {
        file: outcome.sources[file] for finding in findings for file in _list_files(finding) if file not in sources
    }
    failures = [_move_failure(failure, outcome.notebooks, _to_cell) for failure in outcome.failures]
    found = {place.file for place in _list_places(outcome)} & outcome.notebooks.keys()
    checked = [file for file in outcome.checked if file not in found]
    return replace(outcome, findings=findings, sources={**others, **sources}, checked=checked, failures=failures)


def move_to_file_lines(outcome: Outcome) -> Outcome:
    """Return the outcome with places as whole lines of the file. Drop repairs, since they edit parts of lines."""
    if not outcome.notebooks:
        return outcome
    moved = (_move_finding(finding, outcome.notebooks, _to_file) for finding in outcome.findings)
    findings = [replace(placed, fix=None) if placed.span.file in outcome.notebooks else placed for placed in moved]
    raw = {file: notebook.text.split("\n") for file, notebook in outcome.notebooks.items()}
    others = {file: outcome.sources[file] for finding in findings for file in _list_files(finding) if file not in raw}
    failures = [_move_failure(failure, outcome.notebooks, _to_file) for failure in outcome.failures]
    known_by = outcome.fingerprints()
    return replace(outcome, findings=findings, sources={**others, **raw}, marks=known_by, failures=failures)


def move_verdict_to_cells(verdict: Verdict, notebooks: Notebooks) -> Verdict:
    """Return the verdict with its places, also those in its words, moved to cells."""

    def move_place(span: Span) -> Span:
        return move_span_to_cell(span, notebooks)

    def rename_cells(text: str) -> str:
        for notebook in notebooks.values():
            text = rename_lines_to_cells(text, notebook)
        return text

    if not notebooks:
        return verdict
    violations = (
        replace(
            violation,
            written=move_place(violation.written),
            saved=violation.saved and move_place(violation.saved),
            raised=move_place(violation.raised),
        )
        for violation in verdict.violations
    )
    return replace(
        verdict,
        why=rename_cells(verdict.why),
        notes=tuple(map(rename_cells, verdict.notes)),
        violations=tuple(violations),
        findings=tuple(_move_finding(finding, notebooks, _to_cell) for finding in verdict.findings),
        tape=verdict.tape and move_tape(verdict.tape, move_place),
    )


def move_gaps_to_cells(gaps: Sequence[NotAnalysed], notebooks: Notebooks) -> list[NotAnalysed]:
    """Return the gaps with their places moved to cells."""

    def to_cell(span: Span) -> Span:
        return move_span_to_cell(span, notebooks)

    return [
        replace(
            gap,
            span=to_cell(gap.span),
            unreached=tuple(map(to_cell, gap.unreached)),
            stopped=gap.stopped and to_cell(gap.stopped),
        )
        for gap in gaps
    ]


def cell_name(file: str, number: int) -> str:
    """Return the display name of a cell."""
    return f"{file}:cell {number}"


def rename_lines_to_cells(message: str, notebook: Notebook) -> str:
    """Return a message with lines of the program replaced by lines of cells."""

    def find_cell(row: int) -> tuple[int, int]:
        cell, place = notebook.in_cell(Span("", row, 0, row, 0))
        return cell, place.row

    return rename_lines(message, find_cell)


def rename_lines(message: str, find_cell: Callable[[int], tuple[int, int]]) -> str:
    """Return a message with the lines of a program replaced by the cell and line that `find_cell` returns. Text in
    backticks is code and stays."""
    parts = message.split("`")
    return "`".join(part if index % 2 else _rename_in_prose(part, find_cell) for index, part in enumerate(parts))


def _rename_in_prose(text: str, find_cell: Callable[[int], tuple[int, int]]) -> str:
    words = text.split(" ")
    for index in range(len(words) - 1):
        number = words[index + 1].rstrip(":;,.)")
        if words[index].lstrip("(") == "line" and number.isdecimal() and words[index + 2 : index + 3] != ["of"]:
            cell, row = find_cell(int(number))
            words[index + 1] = f"{row} of cell {cell}{words[index + 1][len(number) :]}"
    return " ".join(words)


def move_span_to_cell(span: Span, notebooks: Notebooks) -> Span:
    """Return the place relative to its cell, unchanged if it is in no notebook."""
    return _to_cell(span, notebooks[span.file]) if span.file in notebooks else span


def lines_of_cells(notebooks: Notebooks) -> dict[str, list[str]]:
    """Return the lines of each cell, by its name."""
    return {
        cell_name(file, cell.number): split_lines("".join(cell.lines))
        for file, notebook in notebooks.items()
        for cell in notebook.cells
    }


def _to_cell(span: Span, notebook: Notebook) -> Span:
    number, inside = notebook.in_cell(span)
    return replace(inside, file=cell_name(span.file, number))


def _to_file(span: Span, notebook: Notebook) -> Span:
    return notebook.in_file(span)


def _move_finding(finding: Finding, notebooks: Notebooks, moved: Callable[[Span, Notebook], Span]) -> Finding:
    """Return the finding with its places moved and its message naming cells."""

    def move_place(span: Span) -> Span:
        return moved(span, notebooks[span.file]) if span.file in notebooks else span

    def rename_cells(message: str) -> str:
        own = notebooks.get(finding.span.file)
        return message if own is None else rename_lines_to_cells(message, own)

    related = tuple(
        replace(related_place, span=move_place(related_place.span), message=rename_cells(related_place.message))
        for related_place in finding.related
    )
    fix = None if finding.fix is None else replace(finding.fix, message=rename_cells(finding.fix.message))
    after = finding.after and move_place(finding.after)
    return replace(
        finding, span=move_place(finding.span), message=rename_cells(finding.message), related=related, fix=fix,
        after=after, advice=rename_cells(finding.advice), neighbours=rename_cells(finding.neighbours),
    )  # fmt: skip


def _move_failure(failure: Failure, notebooks: Notebooks, moved: Callable[[Span, Notebook], Span]) -> Failure:
    """Return the failure with its place moved; if it has one, the failure gets the file of the moved place."""
    if failure.place is None or failure.place.file not in notebooks:
        return failure
    place = moved(failure.place, notebooks[failure.place.file])
    return replace(failure, filename=place.file, place=place)


def _list_places(outcome: Outcome) -> Iterator[Span]:
    yield from (finding.span for finding in outcome.findings)
    yield from (failure.place for failure in outcome.failures if failure.place is not None)


def _list_files(finding: Finding) -> set[str]:
    return {finding.span.file, *(related.span.file for related in finding.related)}
