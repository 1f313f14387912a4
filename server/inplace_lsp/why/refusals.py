"""Find clues about what torch refuses on the spot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.hazards import ip101
from inplace_lsp.hazards.finding import Related
from inplace_lsp.hazards.hits import bumps_counter
from inplace_lsp.hazards.registry import find_code_of_refusal
from inplace_lsp.hazards.wording import find_call_places, find_origin_places, name_tensor
from inplace_lsp.tape.autograd import find_rejection
from inplace_lsp.tape.model import STALE_VIEWS, Reject, Tape, Write
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.makers import find_maker

_SAVES_INDICES = frozenset({"index_put_", "index_fill_", "masked_fill_", "index_copy_", "index_add_", "scatter_"})
"""Writes that keep the indices or the mask by which they choose what they write."""


def find_refusal_clues(tape: Tape) -> Iterator[Clue]:
    """Yield the writes and uses that torch would refuse."""
    for _, write in tape.events_of(Write):
        refused = find_rejection(write)
        if refused is not None:
            yield _make_write_clue(tape, write, find_code_of_refusal(refused[0]), refused[0].value)
            if write.partial_overlap and write.op in _SAVES_INDICES:
                yield _find_clue_of_older_torch(tape, write, find_code_of_refusal(refused[0]))
    for at, reject in tape.events_of(Reject):
        yield _make_reject_clue(tape, at, reject)


def _find_clue_of_older_torch(tape: Tape, write: Write, code: str) -> Clue:
    """Return the clue of a refused write for a torch that does not refuse it yet: it fails at the backward."""
    clue = _make_write_clue(tape, write, ip101.CODE, "an older torch writes what it has just saved")
    return replace(clue, saver=write.op, saved=write.span, refused=code)


def _make_write_clue(tape: Tape, write: Write, code: str, why: str) -> Clue:
    maker = find_maker(tape, write.tensor)
    return Clue(
        code=code,
        span=write.span,
        message=f"`{write.op}` writes {name_tensor(write.tensor, 'a tensor')} here: {why}.",
        function=tape.function,
        related=(*find_origin_places(tape, write.tensor), *find_call_places(write)),
        nodes=maker.nodes,
        bare=maker.bare,
        made_by=maker.words,
        output=maker.output,
        call=write.call,
    )


def _make_reject_clue(tape: Tape, at: int, reject: Reject) -> Clue:
    """Return the clue of a refused use: the last write to its memory for a stale view, else the refused call."""
    maker = find_maker(tape, reject.tensor)
    last = _find_last_write(tape, at, reject) if reject.reason in STALE_VIEWS else None
    used = Related("view", f"{name_tensor(reject.tensor, 'a view')} is used here", reject.span)
    return Clue(
        code=find_code_of_refusal(reject.reason),
        span=last.span if last is not None else reject.span,
        message=f"{reject.reason.value}.",
        function=tape.function,
        related=(used,) if last is not None else (),
        nodes=maker.nodes,
        bare=maker.bare,
        made_by=maker.words,
        output=maker.output,
        saved=reject.span,
    )


def _find_last_write(tape: Tape, at: int, reject: Reject) -> Write | None:
    before = (event for event in reversed(tape.events[:at]) if isinstance(event, Write))
    return next(
        (write for write in before if write.tensor.counter == reject.tensor.counter and bumps_counter(write)), None
    )
