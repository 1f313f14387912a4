"""Describe each violation on a tape in a sentence: the write, the save before it, and what backward found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from inplace_lsp.hazards.hits import Hit, bumps_counter, find_ignored_hits, find_loud_hits, find_silent_hits
from inplace_lsp.hazards.parts import name_writer
from inplace_lsp.report.tape_names import Names
from inplace_lsp.tape.autograd import find_rejection, is_as_made, is_shared_gradient
from inplace_lsp.tape.model import (
    Backward,
    Check,
    Free,
    Reject,
    Save,
    Span,
    Tape,
    TensorState,
    ViewKind,
    When,
    Write,
)

Kind = Literal["version", "silent", "freed", "refused"]
"""*version*: backward finds another version than was saved. *silent*: it finds the version but other contents. *freed*:
an earlier backward has dropped what it needs. *refused*: torch refuses the operation on the spot."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation of autograd's rules. `save`, `writes`, `check`, `freed` and `refused` are positions on the tape."""

    kind: Kind
    sentence: str
    save: int | None = None
    writes: tuple[int, ...] = ()
    check: int | None = None
    freed: int | None = None
    """The release of the saved tensor before the check."""
    refused: int | None = None
    """The operation that torch refuses."""
    expected_version: int | None = None
    found_version: int | None = None
    assumed: bool = False
    """Whether its backward is one that a caller may start later."""
    walk: str = ""
    """The assumed backward, in words."""
    conditions: frozenset[str] = frozenset()
    """The inputs of which one must require grad for it to happen."""
    guards: tuple[str, ...] = ()
    """The tests of the program under which its events happen."""

    @property
    def parts(self) -> tuple[int, ...]:
        """All its events, in order."""
        single = (self.save, self.check, self.freed, self.refused)
        return tuple(sorted({*self.writes, *(part for part in single if part is not None)}))


def find_violations(tape: Tape) -> tuple[Violation, ...]:
    """Return all violations of the tape in the order of the run.

    Leave out violations in a caller's backward that the run's own backward has, too.
    """
    found = sorted(_ViolationFinder(tape).find_all(), key=lambda violation: (violation.parts[-1], violation.parts))
    really = {(violation.save, violation.writes) for violation in found if not violation.assumed}
    return tuple(
        violation for violation in found if not violation.assumed or (violation.save, violation.writes) not in really
    )


class _ViolationFinder:
    """Finds the violations on a tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._at = {id(event): at for at, event in enumerate(tape.events)}
        self._names = Names(tape.events)
        self._frees: dict[int, tuple[int, Free]] = {}
        self._saves: dict[int, Save] = {}
        self._backwards: dict[int, Backward] = {}
        for at, event in enumerate(tape.events):
            if isinstance(event, Free):
                self._frees.setdefault(event.node, (at, event))
            elif isinstance(event, Save):
                self._saves[event.key] = event
            elif isinstance(event, Backward):
                self._backwards[event.key] = event

    def find_all(self) -> Iterator[Violation]:
        """Yield every violation, by kind."""
        loud = set()
        for hits in _group_by_check(find_loud_hits(self._tape)):
            loud.add(id(hits[0].check))
            yield self._make_stale_save(hits, "version")
        for hits in _group_by_check([*find_silent_hits(self._tape), *find_ignored_hits(self._tape)]):
            if id(hits[0].check) not in loud:
                yield self._make_stale_save(hits, "silent")
        yield from self._find_unseen_writes(loud)
        yield from self._find_refusals()

    def _find_refusals(self) -> Iterator[Violation]:
        """Yield the walks of freed graphs and the refused writes, in their order."""
        stopped: set[int] = set()
        for at, event in enumerate(self._tape.events):
            if isinstance(event, Check) and event.freed and event.when:
                if event.backward not in stopped:  # torch stops at the first; the others add nothing
                    yield self._make_freed_graph(at, event)
                stopped.add(event.backward)
            elif isinstance(event, Reject) or (isinstance(event, Write) and _is_refused_write(event)):
                yield self._make_refused_operation(at, event)

    def _make_stale_save(self, hits: list[Hit], kind: Kind) -> Violation:
        save, check = hits[0].save, hits[0].check
        writes = [hit.write for hit in hits]
        guards = self._tape.list_conditions((save, check, *writes))
        when = describe_conditions(guards, check.when, save.when)
        return Violation(
            kind=kind,
            sentence=f"{self._describe_writes(writes, kind, save, check)} {self._describe_save(save, check, kind)}; "
            f"{self._describe_need(save, check, kind)}{when}",
            save=self._at[id(save)],
            writes=tuple(self._at[id(write)] for write in writes),
            check=self._at[id(check)],
            expected_version=save.tensor.version,
            found_version=check.found_version,
            assumed=self._is_assumed_backward(check),
            walk=self._describe_backward(check),
            conditions=_list_inputs(check.when, save.when),
            guards=guards,
        )

    def _find_unseen_writes(self, reported: set[int]) -> Iterator[Violation]:
        """Yield checks that find another version although the tape has no write: the recorder did not see it."""
        for at, check in enumerate(self._tape.events):
            save = self._saves.get(check.save) if isinstance(check, Check) and not check.freed else None
            if save is None or not isinstance(check, Check) or id(check) in reported:
                continue
            if check.found_version != save.tensor.version:
                yield Violation(
                    kind="version",
                    sentence=f"a write that was not seen changed {self._name_tensor(save.tensor)} (version "
                    f"{save.tensor.version} -> {check.found_version}) {self._describe_save(save, check, 'version')}; "
                    f"{self._describe_need(save, check, 'version')}{describe_conditions((), check.when, save.when)}",
                    save=self._at[id(save)],
                    check=at,
                    expected_version=save.tensor.version,
                    found_version=check.found_version,
                    assumed=self._is_assumed_backward(check),
                )

    def _describe_writes(self, writes: list[Write], kind: Kind, save: Save, check: Check) -> str:
        first = writes[0]
        lines = list(dict.fromkeys(_name_line(write.span, check.span) for write in writes))
        where = ", ".join(lines[:3]) + (f" and {len(lines) - 3} more" if len(lines) > 3 else "")
        what = f"{where} wrote {self._name_written_tensor(first, save)}"
        if kind == "silent":
            way = next((write.alias for write in writes if write.alias), "")
            through = f" through {way}" if way and first.tensor.id not in self._names.aliases else ""
            return f"{what}{through}, unseen by the version counter,"
        if not bumps_counter(writes[-1]):
            return f"{what} ({name_writer(first)})"
        return f"{what} (version {first.tensor.version} -> {writes[-1].version_after})"

    def _describe_save(self, save: Save, check: Check, kind: Kind) -> str:
        if is_as_made(save):
            return f"after `{save.op}` had made it"
        if is_shared_gradient(save):
            return f"which `{save.op}` on {_name_line(save.span, check.span)} gives to several inputs"
        version = "" if kind == "silent" else f" at version {save.tensor.version}"
        return f"after `{save.op}` on {_name_line(save.span, check.span)} had saved it{version}"

    def _describe_need(self, save: Save, check: Check, kind: Kind) -> str:
        assumed = self._is_assumed_backward(check)
        who = self._describe_backward(check)
        if is_as_made(save):
            return f"{who} {'would ignore' if assumed else 'ignores'} the change: wrong gradient, no error"
        if kind == "silent":
            verb = "would compute" if assumed else "computes"
            return f"{who} {verb} with the new values: wrong gradient, no error"
        return f"{who} {'would find' if assumed else 'found'} {check.found_version}"

    def _describe_backward(self, check: Check) -> str:
        """Describe the backward that checked: one that the program starts on a line, or one of the line's result."""
        backward = self._backwards.get(check.backward)
        if backward is not None and backward.assumed:
            function = self._tape.function
            whole = not function or function.startswith("<")
            return f"a backward through what {f'line {check.span.row} computes' if whole else f'`{function}` returns'}"
        if backward is not None and backward.by_verify:
            return "the backward that verify runs on the result"
        return f"backward on line {check.span.row}"

    def _is_assumed_backward(self, check: Check) -> bool:
        backward = self._backwards.get(check.backward)
        return backward is not None and backward.assumed

    def _make_freed_graph(self, at: int, check: Check) -> Violation:
        save = self._saves.get(check.save)
        freed = self._frees.get(save.node) if save else None
        what = f"what `{save.op}` on {_name_line(save.span, check.span)} had saved" if save else "what an op had saved"
        if freed is not None and freed[0] < at:
            which = "an earlier" if freed[1].span == check.span else "the"
            by = f"{which} backward on {_name_line(freed[1].span, check.span)}"
        else:
            by, freed = "an earlier backward", None
        guards = self._tape.list_conditions((check,) if freed is None else (check, freed[1]))
        when = describe_conditions(guards, check.when)
        return Violation(
            kind="freed",
            sentence=f"{self._describe_backward(check)} needed {what}, but {by} had freed it{when}",
            save=None if save is None else self._at[id(save)],
            check=at,
            freed=None if freed is None else freed[0],
            guards=guards,
        )

    def _make_refused_operation(self, at: int, event: Reject | Write) -> Violation:
        found = find_rejection(event) if isinstance(event, Write) else None
        reason = found[0].value if found else event.reason.value if isinstance(event, Reject) else "torch raised"
        guards = self._tape.list_conditions((event,))
        when = describe_conditions(
            guards, found[1] if found else event.when if isinstance(event, Reject) else When(always=True)
        )
        name = self._name_tensor(event.tensor)
        what = name_writer(event) if isinstance(event, Write) else _describe_refused_use(event)
        return Violation(
            kind="refused",
            sentence=f"torch refuses {what} of {name} on line {event.span.row}: {reason}{when}",
            refused=at,
            guards=guards,
        )

    def _name_written_tensor(self, write: Write, save: Save) -> str:
        """Return the written tensor: an unnamed view is known by the tensor that was saved."""
        saved, named = self._names.name_of(save.tensor), self._names.name_of(write.tensor)
        return f"a view of `{saved}`" if saved and not named else self._name_tensor(write.tensor)

    def _name_tensor(self, tensor: TensorState) -> str:
        way = self._names.aliases.get(tensor.id) if self._names.name_of(tensor) else None
        return f"{self._names.quote_name(tensor)} through `{way}`" if way else self._names.quote_name(tensor)


def _group_by_check(hits: Iterable[Hit]) -> Iterable[list[Hit]]:
    """Yield the hits that one check of one save found, together."""
    groups: dict[tuple[int, int], list[Hit]] = {}
    for hit in hits:
        groups.setdefault((id(hit.save), id(hit.check)), []).append(hit)
    return groups.values()


def _describe_refused_use(event: Reject) -> str:
    """Return what torch refuses: an op, or any use of a view whose base was written."""
    return "the use" if event.op in {kind.value for kind in ViewKind} else event.op


def _is_refused_write(write: Write) -> bool:
    return bool(write.refused) or find_rejection(write) is not None


def _name_line(span: Span, seen_from: Span) -> str:
    return f"line {span.row}" if span.file == seen_from.file else f"line {span.row} of {span.file}"


def _list_inputs(*conditions: When) -> frozenset[str]:
    return frozenset().union(*(when.inputs for when in conditions if not when.always))


def describe_stop(tape: Tape, refusal: int) -> str:
    """Return a sentence that torch ends the program at this refusal; for a later one, once the first is repaired."""
    at = tape.events[refusal]
    before = tape.find_refusal_before(at)
    if before is None or before == at.span:
        return "torch stops here"
    return f"torch stops here once {_name_line(before, at.span)} is mended"


def describe_conditions(guards: Sequence[str], *conditions: When) -> str:
    """Describe the tests of the program and the inputs that it depends on: " (if `flag` and `x` requires grad)"."""
    inputs = sorted(_list_inputs(*conditions))
    said = [f"`{guard}`" for guard in guards]
    if inputs:
        said.append(f"{' or '.join(f'`{name}`' for name in inputs)} requires grad")
    return f" (if {' and '.join(said)})" if said else ""
