"""Mark functions that were analysed in part, because they are too long or have too many paths."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.result import Result


def find_cut_functions(result: Result) -> list[NotAnalysed]:
    """Return the functions, and the module itself, that a safety budget has ended."""
    return [gap for gap in result.analysis.gaps if gap.cut]


def make_partial_marks(result: Result, client: Client, source: str) -> Iterator[tuple[str, types.Diagnostic]]:
    """Yield a faded mark for each, at its name, with its document."""
    for gap in find_cut_functions(result):
        place = result.program.location_of(gap.span)
        if place is None:
            continue
        related = [
            types.DiagnosticRelatedInformation(location, "never reached")
            for location in find_unreached_locations(gap, result.program)
        ]
        rows = ", ".join(str(place.location.range.start.line + 1) for place in related)
        yield (
            place.uri,
            types.Diagnostic(
                range=place.range,
                severity=types.DiagnosticSeverity.Hint,
                source=source,
                message=f"Only partly analysed: {gap.reason}" + (f"; never reached: line {rows}" if rows else ""),
                tags=[types.DiagnosticTag.Unnecessary] if client.unnecessary_tag else None,
                related_information=related if related and client.related_information else None,
            ),
        )


def find_unreached_locations(gap: NotAnalysed, program: Program) -> list[types.Location]:
    """Return the locations of the statements never reached."""
    return [place for place in map(program.location_of, gap.unreached) if place is not None]
