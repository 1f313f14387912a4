"""Functions that were analysed in part, since they are too long or have too many paths: marked where that is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.lsp.client import Client
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.session import Result


def cut(result: Result) -> list[NotAnalysed]:
    """Return the functions, and the module itself, that a safety budget has ended."""
    return [gap for gap in result.analysis.gaps if gap.cut]


def marks(result: Result, client: Client, source: str) -> Iterator[tuple[str, types.Diagnostic]]:
    """Yield a faded mark for each, at its name, with the document that it stands in."""
    for gap in cut(result):
        place = result.program.location(gap.span)
        if place is None:
            continue
        related = [types.DiagnosticRelatedInformation(one, "never reached") for one in unreached(gap, result.program)]
        rows = ", ".join(str(one.location.range.start.line + 1) for one in related)
        yield (
            place.uri,
            types.Diagnostic(
                range=place.range,
                severity=types.DiagnosticSeverity.Hint,
                source=source,
                message=f"Analysed in part: {gap.reason}" + (f"; never reached: line {rows}" if rows else ""),
                tags=[types.DiagnosticTag.Unnecessary] if client.unnecessary_tag else None,
                related_information=related if related and client.related_information else None,
            ),
        )


def unreached(gap: NotAnalysed, program: Program) -> list[types.Location]:
    """Return where the statements stand that were never reached."""
    return [place for place in map(program.location, gap.unreached) if place is not None]
