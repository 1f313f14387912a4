"""Clues about second walks: a backward through what an earlier one freed, and every backward that may meet itself."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.wording import place
from inplace_lsp.tape.model import Backward, Check, Tape
from inplace_lsp.why.clue import Clue


def freed_clues(tape: Tape) -> Iterator[Clue]:
    """The walks that come to freed nodes, then those behind another walk that frees."""
    freed = {check.backward for _, check in tape.each(Check) if check.freed}
    earlier: Backward | None = None
    for _, walk in tape.each(Backward):
        if walk.assumed:
            continue
        if walk.key in freed or earlier is not None:
            yield _clue(tape, walk, earlier, known=walk.key in freed)
        if not walk.retain:
            earlier = walk


def _clue(tape: Tape, walk: Backward, earlier: Backward | None, *, known: bool) -> Clue:
    before = f"; the one on {place(earlier.span, walk.span)} frees what it walks" if earlier is not None else ""
    return Clue(
        code="IP103",
        span=walk.span,
        message=f"this backward may walk a graph a second time{before}.",
        function=tape.function,
        doubt="" if known else "nothing in sight says that both walk the same graph",
        backward=walk.span,
    )
