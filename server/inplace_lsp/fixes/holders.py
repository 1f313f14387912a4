"""Who else holds the written tensor and would no longer see the write: what makes a repair unsafe.

Two witnesses must both be silent: the tape (other tensors on the same memory) and the source (the name handed on).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.candidate import Use
from inplace_lsp.fixes.handed_on import handed_on
from inplace_lsp.fixes.on_tapes import is_write, sharing
from inplace_lsp.tape.model import Event, Span, Tape


def holders(text: str, uses: Iterable[Use], tapes: Iterable[Tape]) -> list[str]:
    """What keeps the old values once the uses write no more; empty where nothing does.

    `tapes` are those of the analysis of `text`.
    """
    tapes = list(tapes)
    found: list[str] = []
    for use in uses:
        found += [f"`{one}` keeps the old values" for one in use.stale]
        found += _in_source(use)
        found += _on_tapes(text, use, tapes)
    return list(dict.fromkeys(found))


def _in_source(use: Use) -> Iterator[str]:
    if use.written is None:
        return
    name = use.tree.code(use.written)
    if isinstance(use.written, cst.Name):
        rows = handed_on(use.tree, use.statement, name)
        yield from (f"`{name}` is handed on as it is on line {row}" for row in rows)
    else:
        yield f"whoever took `{name}` before keeps the old values"


def _on_tapes(text: str, use: Use, tapes: Sequence[Tape]) -> Iterator[str]:
    place = use.tree.span(use.statement)
    name = use.tree.code(use.written) if use.written is not None else ""
    concerned = [tape for tape in tapes if any(_is_write_on(event, place) for event in tape.events)]
    if not concerned:
        yield "the tape does not show what else is in this memory"
    for tape in concerned:
        yield from sharing(text, tape, place, name)


def _is_write_on(event: Event, place: Span) -> bool:
    return is_write(event) and event.span.file == place.file and event.span.row == place.row
