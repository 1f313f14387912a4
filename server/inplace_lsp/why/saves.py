"""Find clues about saved tensors: a save, and a write after it before a backward needs it, or may need it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from inplace_lsp.hazards import ip101, ip102
from inplace_lsp.hazards.finding import Related
from inplace_lsp.hazards.hits import Hit, bumps_counter, find_loud_hits
from inplace_lsp.hazards.wording import describe_place, describe_versions, find_call_places, name_tensor
from inplace_lsp.tape.autograd import find_rejection, is_checked
from inplace_lsp.tape.model import ALWAYS, Actor, Backward, Check, Free, Save, Tape, Write
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.makers import find_maker_of_saved, is_known

_OF_AUTOGRAD = frozenset({"accumulate_grad"})
"""Writes that a backward does: they count only as known hazards."""
_OfTensor = TypeVar("_OfTensor", Save, Write)
MOST_SAVES = 40
"""Maximum number of saves before one write that are examined: the latest."""


@dataclass(frozen=True, slots=True)
class _Chain:
    """A save, the write after it, and the check of a backward after that, if the tape has one."""

    save: Save
    write: Write
    between: tuple[Write, ...]
    check: Check | None
    backward: Backward | None
    is_hit: bool


def find_save_clues(tape: Tape) -> Iterator[Clue]:
    """Yield the tape's writes to saved tensors."""
    for chain in _find_chains(tape):
        yield _make_chain_clue(tape, chain)


def _find_chains(tape: Tape) -> Iterator[_Chain]:
    hits = {(hit.save.key, id(hit.write)): hit for hit in find_loud_hits(tape)}
    backwards = {walk.key: walk for _, walk in tape.events_of(Backward)}
    freed = {event.node: at for at, event in reversed(tape.events_of(Free))}
    saves = _group_by_counter((at, save) for at, save in tape.events_of(Save) if is_checked(save))
    counted = (
        (at, write) for at, write in tape.events_of(Write) if bumps_counter(write) and not _is_surely_refused(write)
    )
    for counter, placed in _group_by_counter(counted).items():
        for start, save in saves.get(counter, [])[-MOST_SAVES:]:
            end = freed.get(save.node, len(tape.events))
            later = [(at, write) for at, write in placed if start < at < end]
            for at, write in later:
                hit = hits.get((save.key, id(write)))
                if hit is not None or write.op not in _OF_AUTOGRAD:
                    look = _find_first_check(tape, save, at)
                    between = tuple(other for when, other in later if look is None or when < look[0])
                    check, backward = _find_check(hit, look, backwards)
                    yield _Chain(save, write, between, check, backward, is_hit=hit is not None)


def _find_check(
    hit: Hit | None, look: tuple[int, Check] | None, backwards: Mapping[int, Backward]
) -> tuple[Check | None, Backward | None]:
    """Return the check that fails, else the first that looks at the save, with its backward."""
    if hit is not None:
        return hit.check, hit.backward
    return (look[1], backwards.get(look[1].backward)) if look is not None else (None, None)


def _find_first_check(tape: Tape, save: Save, behind: int) -> tuple[int, Check] | None:
    """Return the first check of `save` by a backward after that position of the tape."""
    looks = tape.checks_by_save.get(save.key, [])
    at = bisect_right([place for place, _ in looks], behind)
    return looks[at] if at < len(looks) else None


def _group_by_counter(placed: Iterable[tuple[int, _OfTensor]]) -> dict[int, list[tuple[int, _OfTensor]]]:
    """Group events, each with its place on the tape, by the version counter of their tensor."""
    found: dict[int, list[tuple[int, _OfTensor]]] = {}
    for at, event in placed:
        found.setdefault(event.tensor.counter, []).append((at, event))
    return found


def _is_surely_refused(write: Write) -> bool:
    refused = find_rejection(write)
    return refused is not None and refused[1] == ALWAYS


def _make_chain_clue(tape: Tape, chain: _Chain) -> Clue:
    save, write, check = chain.save, chain.write, chain.check
    maker = find_maker_of_saved(tape, save, chain.between)
    is_walked = chain.backward is not None and not chain.backward.assumed
    moved = check.found_version - save.tensor.version if check is not None else 0
    return Clue(
        code=ip102.CODE if write.actor is Actor.STEP else ip101.CODE,
        span=write.span,
        message=_describe_write(write, save),
        function=tape.function,
        related=_list_related_places(write, save, chain.backward if is_walked else None),
        doubt=_explain_doubt(chain),
        nodes=maker.nodes,
        bare=maker.bare,
        made_by=maker.words,
        output=maker.output,
        shape=save.shape if save.tensor.leaf or is_known(save.op) else None,
        turned=maker.turned,
        saver=save.op,
        writes=moved or len(chain.between),
        expected=save.tensor.version,
        saved=save.span,
        backward=chain.backward.span if is_walked and chain.backward is not None else None,
        call=write.call,
    )


def _describe_write(write: Write, save: Save) -> str:
    what = name_tensor(write.tensor, "a parameter" if write.actor is Actor.STEP else "a tensor")
    saved = f"`{save.op}` on {describe_place(save.span, write.span)}"
    if write.actor is Actor.STEP:
        return f"`{write.op}` changes {what} ({describe_versions(write)}), which {saved} had saved."
    return f"{what} is written here ({describe_versions(write)}), and {saved} had saved its memory."


def _list_related_places(write: Write, save: Save, backward: Backward | None) -> tuple[Related, ...]:
    saved = Related(
        "saved", f"`{save.op}` saves {name_tensor(save.tensor, 'it')} at version {save.tensor.version}", save.span
    )
    walked = (Related("backward", "this backward may need it", backward.span),) if backward is not None else ()
    return (saved, *find_call_places(write), *walked)


def _explain_doubt(chain: _Chain) -> str:
    if chain.is_hit:
        return ""
    if chain.check is None:
        return "no backward in sight reaches it after this write"
    return "nothing there is known to require grad"
