"""The findings about saved tensors: what IP101, IP102 and IP301 share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.assumptions import Weight, possible, weigh
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.hazards.hits import Hit
from inplace_lsp.hazards.reason import reason
from inplace_lsp.hazards.wording import backward_place, name, origin, place, story, unique, written_through
from inplace_lsp.tape.autograd import is_as_made
from inplace_lsp.tape.model import UNSEEN, Save, Tape, Write


def findings_of(
    tape: Tape, code: str, title: str, hits: Iterable[Hit], message: Callable[[Hit], str]
) -> Iterator[Finding]:
    """One finding a write: the hit that needs the least assumed tells the story, the other saves are related places."""
    for group in _by_write(hit for hit in hits if possible(hit.save.when, hit.check.when)):
        hit, weight = min(((one, _weigh(tape, one)) for one in group), key=lambda pair: _needs(pair[1]))
        yield Finding(
            code=code,
            name=title,
            severity=weight.severity,
            message=message(hit) + weight.remark,
            assumptions=weight.assumed,
            span=hit.write.span,
            related=_related(tape, [hit, *group]),
            function=tape.function,
            story=story(tape, hit.save.tensor, hit.write.tensor),
        )


def written(hit: Hit) -> str:
    """What is written: by its own name, or by that of the saved tensor whose memory it is."""
    known = f"the memory of {name(hit.save.tensor)}" if hit.save.tensor.name else "this tensor"
    return name(hit.write.tensor, known)


def saved_by(hit: Hit) -> str:
    """Who saved it, where and why: "`exp` on line 12 saved it: the derivative of exp is its own output."."""
    save, write = hit.save, hit.write
    other = save.tensor.name and save.tensor.name != write.tensor.name
    what = f"{name(save.tensor)}, which shares its memory" if other else "it"
    inside = f" (in {save.inside})" if save.inside else ""
    return f"`{save.op}` on {place(save.span, write.span)}{inside} saved {what}: {reason(save.op, save.role)}."


def _weigh(tape: Tape, hit: Hit) -> Weight:
    only_returned = hit.backward is not None and hit.backward.assumed
    infers = evidence.only_infers(tape.function, hit.write.through) if only_returned else ""
    walks = hit.backward is not None and not hit.backward.assumed
    also = (_UNSEEN,) if hit.write.op.startswith(UNSEEN) else ()
    return weigh(tape, hit.save.when, hit.check.when, walks=walks, infers=infers, also=also)


_UNSEEN = f"{UNSEEN} writes the parameters that it was given"


def _needs(weight: Weight) -> tuple[bool, int]:
    """How much has to be taken for granted: what is hard to believe, then the number of assumptions."""
    return weight.severity == "hint", len(weight.assumed)


def _by_write(hits: Iterable[Hit]) -> list[list[Hit]]:
    groups: dict[int, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(id(hit.write), []).append(hit)
    return list(groups.values())


def _related(tape: Tape, hits: list[Hit]) -> tuple[Related, ...]:
    first = hits[0]
    saves = (Related("saved", _told(hit.save), hit.save.span) for hit in hits if not is_as_made(hit.save))
    backwards = (one for hit in hits for one in backward_place(hit.backward, _does(hit)))
    return unique((*saves, *_made(tape, first.write), *written_through(first.write), *backwards))


def _does(hit: Hit) -> str:
    return "this backward ignores the change" if is_as_made(hit.save) else "this backward needs it"


def _told(save: Save) -> str:
    what = "its result" if save.role.startswith("result") else name(save.tensor, "its input")
    inside = f" (in {save.inside})" if save.inside else ""
    return f"`{save.op}` saves {what} at version {save.tensor.version}{inside}"


def _made(tape: Tape, write: Write) -> tuple[Related, ...]:
    """Where the written view or alias was made, unless in the writing statement itself."""
    return tuple(one for one in origin(tape, write.tensor) if one.span.row != write.span.row)
