"""What went wrong on a tape, each as one sentence: who wrote, who had saved it, what backward found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from inplace_lsp.hazards.hits import Hit, ignored_hits, is_counted, loud_hits, silent_hits
from inplace_lsp.report.tape_names import alias_ways, first_names
from inplace_lsp.tape.autograd import is_as_made, rejection
from inplace_lsp.tape.model import Backward, Check, Free, Reject, Save, Span, Tape, TensorState, When, Write

Kind = Literal["version", "silent", "freed", "refused"]
"""*version*: backward finds another version than was saved. *silent*: it finds the version but other contents. *freed*:
an earlier backward has dropped what it needs. *refused*: torch refuses the operation on the spot."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise. Its parts are places on the tape (indices of events).

    `refused` is the operation that torch refuses; `freed` the release that came before the check. `assumed`: the
    backward is one that a caller may start later.
    """

    kind: Kind
    sentence: str
    save: int | None = None
    writes: tuple[int, ...] = ()
    check: int | None = None
    freed: int | None = None
    refused: int | None = None
    expected_version: int | None = None
    found_version: int | None = None
    assumed: bool = False

    @property
    def parts(self) -> tuple[int, ...]:
        """All its events, in the order in which they happened."""
        single = (self.save, self.check, self.freed, self.refused)
        return tuple(sorted({*self.writes, *(one for one in single if one is not None)}))


def violations(tape: Tape) -> tuple[Violation, ...]:
    """All violations of the tape, in the order in which a run comes to them.

    What a caller's backward would find is left out where the run's own backward finds it.
    """
    found = sorted(_Finder(tape).all(), key=lambda one: (one.parts[-1], one.parts))
    really = {(one.save, one.writes) for one in found if not one.assumed}
    return tuple(one for one in found if not one.assumed or (one.save, one.writes) not in really)


class _Finder:
    """Reads one tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._at = {id(event): at for at, event in enumerate(tape.events)}
        self._names = first_names(tape.events)
        self._aliases = alias_ways(tape.events)
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

    def all(self) -> Iterator[Violation]:
        """Every violation, by kind."""
        loud = set()
        for hits in _by_check(loud_hits(self._tape)):
            loud.add(id(hits[0].check))
            yield self._stale(hits, "version")
        for hits in _by_check([*silent_hits(self._tape), *ignored_hits(self._tape)]):
            if id(hits[0].check) not in loud:
                yield self._stale(hits, "silent")
        yield from self._by_someone(loud)
        told: set[int] = set()
        for at, event in enumerate(self._tape.events):
            if isinstance(event, Check) and event.freed and event.when:
                if event.backward not in told:  # torch stops at the first; the others tell nothing new
                    yield self._freed(at, event)
                told.add(event.backward)
            elif isinstance(event, Reject) or (isinstance(event, Write) and _is_refused(event)):
                yield self._refused(at, event)

    def _stale(self, hits: list[Hit], kind: Kind) -> Violation:
        save, check = hits[0].save, hits[0].check
        writes = [hit.write for hit in hits]
        when = _condition(check.when, save.when)
        return Violation(
            kind=kind,
            sentence=f"{self._wrote(writes, kind, save, check)} {self._had_saved(save, check, kind)}; "
            f"{self._needed(save, check, kind)}{when}",
            save=self._at[id(save)],
            writes=tuple(self._at[id(write)] for write in writes),
            check=self._at[id(check)],
            expected_version=save.tensor.version,
            found_version=check.found_version,
            assumed=self._is_assumed(check),
        )

    def _by_someone(self, told: set[int]) -> Iterator[Violation]:
        """Checks that find another version although no write is on the tape: it was out of the recorder's sight."""
        for at, check in enumerate(self._tape.events):
            save = self._saves.get(check.save) if isinstance(check, Check) and not check.freed else None
            if save is None or not isinstance(check, Check) or id(check) in told:
                continue
            if check.found_version != save.tensor.version:
                yield Violation(
                    kind="version",
                    sentence=f"a write that was not seen changed `{self._name(save.tensor)}` (version "
                    f"{save.tensor.version} -> {check.found_version}) {self._had_saved(save, check, 'version')}; "
                    f"{self._needed(save, check, 'version')}{_condition(check.when, save.when)}",
                    save=self._at[id(save)],
                    check=at,
                    expected_version=save.tensor.version,
                    found_version=check.found_version,
                    assumed=self._is_assumed(check),
                )

    def _wrote(self, writes: list[Write], kind: Kind, save: Save, check: Check) -> str:
        first = writes[0]
        lines = list(dict.fromkeys(_line(write.span, check.span) for write in writes))
        where = ", ".join(lines[:3]) + (f" and {len(lines) - 3} more" if len(lines) > 3 else "")
        what = f"{where} wrote {self._written(first, save)}"
        if kind == "silent":
            way = next((write.alias for write in writes if write.alias), "")
            through = f" through {way}" if way and first.tensor.id not in self._aliases else ""
            return f"{what}{through}, unseen by the version counter,"
        if not is_counted(writes[-1]):
            return f"{what} ({first.op})"
        return f"{what} (version {first.tensor.version} -> {writes[-1].version_after})"

    def _had_saved(self, save: Save, check: Check, kind: Kind) -> str:
        if is_as_made(save):
            return f"after `{save.op}` had made it"
        version = "" if kind == "silent" else f" at version {save.tensor.version}"
        return f"after `{save.op}` on {_line(save.span, check.span)} had saved it{version}"

    def _needed(self, save: Save, check: Check, kind: Kind) -> str:
        assumed = self._is_assumed(check)
        who = (
            f"a backward through what line {check.span.row} returns"
            if assumed
            else f"backward on line {check.span.row}"
        )
        if is_as_made(save):
            return f"{who} {'would ignore' if assumed else 'ignores'} the change: wrong gradient, no error"
        if kind == "silent":
            verb = "would compute" if assumed else "computes"
            return f"{who} {verb} with the new values: wrong gradient, no error"
        return f"{who} {'would find' if assumed else 'found'} {check.found_version}"

    def _is_assumed(self, check: Check) -> bool:
        backward = self._backwards.get(check.backward)
        return backward is not None and backward.assumed

    def _freed(self, at: int, check: Check) -> Violation:
        save = self._saves.get(check.save)
        freed = self._frees.get(save.node) if save else None
        what = f"what `{save.op}` on {_line(save.span, check.span)} had saved" if save else "what an op had saved"
        if freed is not None and freed[0] < at:
            which = "an earlier" if freed[1].span == check.span else "the"
            by = f"{which} backward on {_line(freed[1].span, check.span)}"
        else:
            by, freed = "an earlier backward", None
        return Violation(
            kind="freed",
            sentence=f"backward on line {check.span.row} needed {what}, but {by} had freed it{_condition(check.when)}",
            save=None if save is None else self._at[id(save)],
            check=at,
            freed=None if freed is None else freed[0],
        )

    def _refused(self, at: int, event: Reject | Write) -> Violation:
        found = rejection(event) if isinstance(event, Write) else None
        reason = found[0].value if found else event.reason.value if isinstance(event, Reject) else "torch raised"
        when = _condition(found[1] if found else event.when if isinstance(event, Reject) else When(always=True))
        name = self._name(event.tensor)
        return Violation(
            kind="refused",
            sentence=f"torch refuses {event.op} of `{name}` on line {event.span.row}: {reason}{when}",
            refused=at,
        )

    def _written(self, write: Write, save: Save) -> str:
        """What was written: a view without a name is known by the tensor that was saved."""
        saved = save.tensor.name or self._names.get(save.tensor.id)
        named = write.tensor.name or self._names.get(write.tensor.id)
        return f"a view of `{saved}`" if saved and not named else f"`{self._name(write.tensor)}`"

    def _name(self, tensor: TensorState) -> str:
        name = tensor.name or self._names.get(tensor.id) or "a temporary"
        return f"{name} ({self._aliases[tensor.id]})" if tensor.id in self._aliases else name


def _by_check(hits: Iterable[Hit]) -> Iterable[list[Hit]]:
    """The hits that one check of one save found, together."""
    groups: dict[tuple[int, int], list[Hit]] = {}
    for hit in hits:
        groups.setdefault((id(hit.save), id(hit.check)), []).append(hit)
    return groups.values()


def _is_refused(write: Write) -> bool:
    return bool(write.refused) or rejection(write) is not None


def _line(span: Span, seen_from: Span) -> str:
    return f"line {span.row}" if span.file == seen_from.file else f"line {span.row} of {span.file}"


def _condition(*conditions: When) -> str:
    inputs = sorted(set().union(*(when.inputs for when in conditions if not when.always)))
    return f" (if {' or '.join(f'`{name}`' for name in inputs)} requires grad)" if inputs else ""
