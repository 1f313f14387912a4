"""Find clues about second backwards: those that reach freed nodes, and those that may walk the same graph again."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards import ip103
from inplace_lsp.hazards.wording import describe_place
from inplace_lsp.tape.model import Backward, Check, Tape
from inplace_lsp.why.clue import Clue


def find_freed_clues(tape: Tape) -> Iterator[Clue]:
    """Yield the backwards that reach freed nodes, then those after another one that frees."""
    freed = {check.backward for _, check in tape.events_of(Check) if check.freed}
    earlier: Backward | None = None
    for _, walk in tape.events_of(Backward):
        if walk.assumed:
            continue
        if walk.key in freed or earlier is not None:
            yield _make_second_walk_clue(tape, walk, earlier, known=walk.key in freed)
        if not walk.retain:
            earlier = walk


def _make_second_walk_clue(tape: Tape, walk: Backward, earlier: Backward | None, *, known: bool) -> Clue:
    before = f"; the one on {describe_place(earlier.span, walk.span)} frees its graph" if earlier is not None else ""
    return Clue(
        code=ip103.CODE,
        span=walk.span,
        message=f"this backward may go through the same graph a second time{before}.",
        function=tape.function,
        doubt="" if known else "the code does not show that both go through the same graph",
        backward=walk.span,
    )
