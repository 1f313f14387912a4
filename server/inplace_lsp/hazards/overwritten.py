"""The findings about saved tensors: the shared part of IP101, IP102 and IP301."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.assumptions import Weight, is_possible, weigh_finding
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.hazards.hits import Hit
from inplace_lsp.hazards.parts import name_saved_part
from inplace_lsp.hazards.reason import find_reason_for_save
from inplace_lsp.hazards.wording import (
    describe_place,
    drop_repeated_places,
    find_call_places,
    find_events_of_memory,
    find_origin_places,
    name_tensor,
    relate_backward,
)
from inplace_lsp.tape.autograd import ON_CPU, SHARED_IF_SHAPES_AGREE, is_as_made, is_shared_gradient
from inplace_lsp.tape.model import UNSEEN, Actor, Save, Span, Tape, View, Write
from inplace_lsp.tape.names import TESTED


def make_findings(
    tape: Tape, code: str, title: str, hits: Iterable[Hit], message: Callable[[Hit], str]
) -> Iterator[Finding]:
    """Yield one finding per write, about the hit with the fewest assumptions; the other saves are related places."""
    for group in _group_by_write(hit for hit in hits if is_possible(hit.save.when, hit.check.when)):
        hit, weight = min(
            ((member, _weigh_hit(tape, member)) for member in group), key=lambda pair: _rank_assumptions(pair[1])
        )
        yield Finding(
            code=code,
            name=title,
            severity=weight.severity,
            message=message(hit) + weight.remark,
            assumptions=weight.assumed,
            negligible=weight.negligible,
            span=hit.write.span,
            related=_list_related_places(tape, [hit, *group]),
            function=tape.function,
            story=find_events_of_memory(tape, hit.save.tensor, hit.write.tensor),
            conditions=tape.list_conditions((hit.write, hit.save, hit.check)),
            after=tape.find_refusal_before(hit.check),
            op=hit.write.op,
        )


def name_written_tensor(hit: Hit) -> str:
    """Return the name of the written tensor, or of the saved tensor that it is a view of."""
    known = f"a view of {name_tensor(hit.save.tensor)}" if hit.save.tensor.name else "this tensor"
    return name_tensor(hit.write.tensor, known)


def explain_save(hit: Hit) -> str:
    """Describe the save, its line and its reason: "`exp` on line 12 saved it: its derivative is its own output."."""
    save, write = hit.save, hit.write
    named = write.tensor.name and save.tensor.name and save.tensor.name != write.tensor.name
    other = named and save.tensor.id != write.tensor.id
    what = f"{name_tensor(save.tensor)}, which shares its memory" if other else "it"
    return f"{describe_saver(save, write)} saved {what}: {find_reason_for_save(save.op, save.role)}."


def describe_saver(save: Save, write: Write) -> str:
    """Describe what saved a tensor, seen from the write: the call in the same function, if the save lies deeper."""
    inside = f" (in {save.inside})" if save.inside else ""
    op = f"`{save.op}` on {describe_place(save.span, write.span)}{inside}"
    call = find_call_of_save(save, write)
    return op if call is None else f"the call on {describe_place(call, write.span)} ({op})"


def find_call_of_save(save: Save, write: Write) -> Span | None:
    """Return the call by which the function with the write (or with the call that leads to it) reached the save; None
    if the save stands in that function itself."""
    pairs = zip(save.calls, write.calls, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return save.calls[shared] if shared < len(save.calls) and shared == len(write.calls) else None


def _weigh_hit(tape: Tape, hit: Hit) -> Weight:
    only_returned = hit.backward is not None and hit.backward.assumed
    doubt = _doubt_save(tape, hit) or (_doubt_backward(tape, hit) if only_returned else "")
    walks = hit.backward is not None and not hit.backward.assumed
    also = (_UNSEEN,) if hit.write.op.startswith(UNSEEN) else ()
    if hit.write.alias == ON_CPU:
        also = (*also, f"{name_tensor(hit.save.tensor).strip('`')} is on the CPU")
    if hit.save.role == SHARED_IF_SHAPES_AGREE:
        also = (*also, f"the inputs of `{hit.save.op}` have the same shape")
    return weigh_finding(
        tape,
        hit.save.when,
        hit.check.when,
        walks=walks,
        returned=only_returned,
        doubt=doubt,
        also=also,
        recorded=(hit.save,),
    )


def _doubt_save(tape: Tape, hit: Hit) -> str:
    """Return why the op hardly saved the tensor, "" if nothing says so: the program had detached it, and only arguments
    can need the gradient of what was computed from it."""
    when, made = hit.save.when, tape.origins.get(hit.save.tensor.id)
    if when.always or not isinstance(made, View) or made.op != _DETACHED:
        return ""
    if not all(evidence.is_argument(given, tape.parameters) for given in when.inputs):
        return ""
    return (
        f"{name_tensor(made.of, 'the tensor')} is detached here, so that what is computed from it is meant as numbers"
    )


_DETACHED = "detach"


def _doubt_backward(tape: Tape, hit: Hit) -> str:
    """Return why callers may never run a backward from the returned value, "" if they plausibly do."""
    if TESTED in tape.assumed:
        return ""
    infers = evidence.find_inference_function(tape.function, hit.write.through)
    if infers:
        return f"`{infers}` is called by code that runs without gradients, and no backward in sight uses its result"
    evaluates = evidence.find_evaluation(tape.list_conditions((hit.write, hit.save)))
    if evaluates:
        return f"`{evaluates}` sounds like code that runs without gradients, and no backward in sight uses its result"
    if hit.write.actor is Actor.STEP:
        return f"no backward in sight uses what `{tape.function}` returns, and the parameters change before that"
    return ""


_UNSEEN = f"{UNSEEN} writes the parameters that it was given"


def _rank_assumptions(weight: Weight) -> tuple[bool, int]:
    """Rank the assumptions: implausible ones last, then by their number."""
    return weight.severity == "hint", len(weight.assumed)


def _group_by_write(hits: Iterable[Hit]) -> list[list[Hit]]:
    groups: dict[int, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(id(hit.write), []).append(hit)
    return list(groups.values())


def _list_related_places(tape: Tape, hits: list[Hit]) -> tuple[Related, ...]:
    first = hits[0]
    calls = (
        Related("saved", f"this call saves it: `{hit.save.op}` on line {hit.save.span.row}", call)
        for hit in hits
        if not is_as_made(hit.save) and (call := find_call_of_save(hit.save, hit.write)) is not None
    )
    saves = (Related("saved", _describe_save(hit.save), hit.save.span) for hit in hits if not is_as_made(hit.save))
    backwards = (place for hit in hits for place in relate_backward(hit.backward, _describe_backward(hit)))
    return drop_repeated_places(
        (*calls, *saves, *_find_origin_of_written(tape, first.write), *find_call_places(first.write), *backwards)
    )


def _describe_backward(hit: Hit) -> str:
    return "this backward ignores the change" if is_as_made(hit.save) else "this backward needs it"


def _describe_save(save: Save) -> str:
    if is_shared_gradient(save):
        return f"the inputs of `{save.op}` get one gradient, in one memory"
    part = name_saved_part(save.role)
    what = part if part == "its result" else name_tensor(save.tensor, part)
    inside = f" (in {save.inside})" if save.inside else ""
    return f"`{save.op}` saves {what} at version {save.tensor.version}{inside}"


def _find_origin_of_written(tape: Tape, write: Write) -> tuple[Related, ...]:
    """Return the place where the written view or alias was made, unless the writing statement made it."""
    return tuple(place for place in find_origin_places(tape, write.tensor) if place.span.row != write.span.row)
