"""A finding as text: place, severity, message, code frame, assumptions and fix."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from inplace_lsp.hazards.finding import Finding, Severity, Sources
from inplace_lsp.hazards.remedy import describe_help
from inplace_lsp.report.frame import CONTEXT_ROWS, GUTTER, HANG, Label, draw_frame
from inplace_lsp.report.paths import shorten_paths, shown_path
from inplace_lsp.report.wrapping import UNLIMITED, wrap_line

STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "information": "bold cyan", "hint": "dim"}
_RELATED = "cyan"


def finding_text(finding: Finding, sources: Sources, folder: str, columns: int = UNLIMITED) -> Iterator[Text]:
    """Yield the lines to print for `finding`, in at most `columns`; file names are relative to `folder` if possible."""
    head = len(_make_head(finding, folder).plain)
    yield from wrap_line(finding_line(finding, folder), columns, HANG, whole=head)
    margin = _measure_margin(finding)
    yield _make_gutter_line(margin)
    yield from frame_lines(finding, sources, folder, columns)
    yield _make_gutter_line(margin)
    for note in _make_notes(finding, margin):
        yield from wrap_line(note, columns, margin + HANG)


def frame_lines(
    finding: Finding, sources: Sources, folder: str, columns: int = UNLIMITED, around: int = CONTEXT_ROWS
) -> Iterator[Text]:
    """Yield the source lines that a finding points at, a frame for each file, its own first."""
    labels = list(_make_labels(finding, folder))
    margin = _measure_margin(finding)
    own = [label for label in labels if label.span.file == finding.span.file]
    yield from draw_frame(own, sources, margin, columns, around)
    for file in _list_other_files(finding):
        here = [label for label in labels if label.span.file == file]
        yield _make_file_line(here, margin, folder)
        yield from draw_frame(here, sources, margin, columns)


def finding_line(finding: Finding, folder: str) -> Text:
    """Return place, severity and message in one line."""
    return Text.assemble(_make_head(finding, folder), " ", shorten_paths(finding.message, folder))


def _make_head(finding: Finding, folder: str) -> Text:
    """Return place, severity, code and name, which stay in one line so that tools find them."""
    span = finding.span
    place = f"{shown_path(span.file, folder)}:{span.row}:{span.column + 1}"
    style = STYLES[finding.severity]
    return Text.assemble(
        (place, "bold"), ": ", (f"{finding.severity}[{finding.code}]", style), " ", (finding.name, style), ":",
    )  # fmt: skip


def _measure_margin(finding: Finding) -> int:
    """Return the width of the largest row number that is shown."""
    return len(str(max(place.row for place in (finding.span, *(related.span for related in finding.related)))))


def _make_labels(finding: Finding, folder: str) -> Iterator[Label]:
    yield Label(finding.span, "", primary=True, style=STYLES[finding.severity])
    for related in finding.related:
        yield Label(related.span, shorten_paths(related.message, folder), primary=False, style=_RELATED)


def _list_other_files(finding: Finding) -> list[str]:
    files = (related.span.file for related in finding.related)
    return list(dict.fromkeys(file for file in files if file != finding.span.file))


def _make_file_line(labels: list[Label], margin: int, folder: str) -> Text:
    span = labels[0].span
    return Text(f"{' ' * margin} ::: {shown_path(span.file, folder)}:{span.row}:{span.column + 1}", style=GUTTER)


def _make_gutter_line(margin: int) -> Text:
    return Text(" " * margin + " |", style=GUTTER)


def _make_notes(finding: Finding, margin: int) -> Iterator[Text]:
    if finding.assumptions:
        yield _make_note(margin, "assuming", "; ".join(finding.assumptions))
    if finding.fix is not None:
        yield _make_note(margin, f"fix ({finding.fix.applicability})", finding.fix.message)
    elif said := describe_help(finding):
        yield _make_note(margin, "help", said)
    if finding.neighbours:
        yield _make_note(margin, "note", finding.neighbours)


def _make_note(margin: int, title: str, text: str) -> Text:
    return Text.assemble((" " * margin + " = ", GUTTER), (title, "bold"), f": {text}")
