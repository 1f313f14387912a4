"""Explain from the tape why a write in place breaks nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.hazards.parts import is_by_backward, name_saved_part, name_writer
from inplace_lsp.hazards.reason import find_reason_for_save
from inplace_lsp.report.tape_names import Names, list_states
from inplace_lsp.tape.autograd import PRIVATE, find_rejection, keeps_nothing
from inplace_lsp.tape.model import Check, Create, Event, Free, Save, Span, Tape, TensorState, View, When, Write


def find_tapes_at(tapes: Iterable[Tape], file: str, row: int) -> list[Tape]:
    """Return the tapes with an event on `row`: few, in a large file with many functions."""
    return [tape for tape in tapes if any(_concerns_row(event, file, row) for event in tape.events)]


def find_tapes_around(tapes: Iterable[Tape], place: Place) -> list[Tape]:
    """Return the tapes with an event in the function of a place."""
    return [tape for tape in tapes if any(place.is_around(event.span) for event in tape.events)]


class TapesByRow:
    """The tapes of a file, found by the rows of their events: for who asks about many places."""

    def __init__(self, tapes: Iterable[Tape]) -> None:
        self._tapes = list(tapes)
        places = {(event.span.file, event.span.row, at) for at, tape in enumerate(self._tapes) for event in tape.events}
        self._places = sorted(places)
        self._written: dict[tuple[str, int], Tape] = {}
        for tape in self._tapes:
            for _, write in tape.events_of(Write):
                if not is_by_backward(write):
                    for row in range(write.span.row, write.span.end_row + 1):
                        self._written.setdefault((write.span.file, row), tape)

    def find_tapes_around(self, place: Place) -> list[Tape]:
        """Return the tapes with an event in the function of a place, in order. The place names its file."""
        first = bisect_left(self._places, (place.file, place.first))
        last = bisect_left(self._places, (place.file, place.last + 1))
        return [self._tapes[at] for at in sorted({at for _, _, at in self._places[first:last]})]

    def find_tape_of_write(self, file: str, row: int) -> Tape | None:
        """Return the first tape with a write on `row`, those of a backward to gradients left out."""
        return self._written.get((file, row))


def _concerns_row(event: Event, file: str, row: int) -> bool:
    declared = event.declared if isinstance(event, Write) else None
    return covers_row(event.span, file, row) or (declared is not None and covers_row(declared, file, row))


def find_writes_at(tapes: Iterable[Tape], file: str, row: int) -> list[tuple[Tape, Write]]:
    """Return the writes of the statement on `row`, one for each tensor name and op, except those of a backward to
    gradients."""
    found: dict[tuple[str, str], tuple[Tape, Write]] = {}
    for tape in tapes:
        for event in tape.events:
            if isinstance(event, Write) and covers_row(event.span, file, row) and not is_by_backward(event):
                found.setdefault((event.tensor.name, event.op), (tape, event))
    return list(found.values())


def find_declared_writes_at(tapes: Iterable[Tape], file: str, row: int) -> list[tuple[Tape, Write]]:
    """Return the writes that an `inplace=True` in the statement on `row` causes, one for each line."""
    found: dict[int, tuple[Tape, Write]] = {}
    for tape in tapes:
        for event in tape.events:
            if isinstance(event, Write) and event.declared is not None and covers_row(event.declared, file, row):
                found.setdefault(event.span.row, (tape, event))
    return list(found.values())


def covers_row(span: Span, file: str, row: int) -> bool:
    """Return whether `row` is one of the rows of `span`."""
    return span.file == file and span.row <= row <= span.end_row


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a function, whose rows are `first` to `last`."""

    file: str
    row: int
    first: int
    last: int

    def at_end(self) -> Place:
        """Return the last row of the same function."""
        return replace(self, row=self.last)

    def is_around(self, span: Span) -> bool:
        """Return whether `span` is in the same function."""
        return self.file in ("", span.file) and self.first <= span.row <= self.last


EVERYWHERE = Place("", 10**9, 1, 10**9)
"""The end of a program, whatever its file."""


class TapeDescriber:
    """Describes a tape in words, with the names that tensors get only after the op that made them."""

    def __init__(self, tape: Tape) -> None:
        self.events = tuple(event for event in tape.events if not (isinstance(event, Save) and keeps_nothing(event)))
        self._names = Names(self.events)
        self._also: dict[int, set[str]] = {}
        for state in (state for event in tape.events for state in list_states(event) if state.name):
            self._also.setdefault(state.id, set()).add(state.name)
        for tensor in _find_passing_views(self.events):
            self._also.pop(tensor, None)

    def explain_safe_write(self, write: Write) -> str:
        """Return a paragraph about a write without a hazard."""
        part = self._names.takes_part(write) and bool(write.tensor.name)
        who, a_part = name_writer(write), "a part of " if part else ""
        what = f"{_quote_op(who)} writes {a_part}{self.name_of(write.tensor)} in place: {_describe_version(write)}. "
        return what + "It is fine: " + "; ".join(self._find_safety_reasons(write)) + "."

    def explain_stay(self, write: Write) -> str:
        """Return a sentence about a write that may stay where another one must not."""
        reason = next(iter(self._find_safety_reasons(write)))
        return f"{_quote_op(name_writer(write))} on line {write.span.row} may stay: {reason}."

    def describe_saves(self, op: str, span: Span) -> str:
        """Describe what `op` at `span` saves for its backward."""
        saves = [event for event in self.events if isinstance(event, Save) and event.op == op and event.span == span]
        if not saves:
            return f"`{op}` on line {span.row} saves neither its inputs nor its result"
        if all(save.role == PRIVATE for save in saves):
            return f"`{op}` on line {span.row} keeps only a mask or copy of its own, which no write changes"
        descriptions = (self._describe_save(save) for save in saves if save.role != PRIVATE)
        return f"`{op}` on line {span.row} saves " + _join_words(dict.fromkeys(descriptions))

    def describe_saves_on(self, file: str, row: int) -> list[str]:
        """Describe what each op of the statement on `row` saves, with the reason."""
        saves = [event for event in self.events if isinstance(event, Save) and covers_row(event.span, file, row)]
        ops = dict.fromkeys((save.op, save.span) for save in saves)
        return [self.describe_with_reason(op, span) for op, span in ops]

    def describe_with_reason(self, op: str, span: Span) -> str:
        """Describe what `op` saves, and why its derivative needs it."""
        saves = (event for event in self.events if isinstance(event, Save) and event.op == op and event.span == span)
        roles = [save.role for save in saves if save.role != PRIVATE]
        why = f": {find_reason_for_save(op, roles[0])}" if roles else ""
        return f"{self.describe_saves(op, span)}{why}."

    def describe_variable(self, name: str, place: Place) -> str:
        """Describe the variable `name` once the row of `place` has run; "" if the tape does not know it."""
        inside = [(at, event.span.row) for at, event in enumerate(self.events) if place.is_around(event.span)]
        reached = [at for at, row in inside if row <= place.row]
        before = self.events[: reached[-1] + 1] if reached else ()
        if known := self._find_states_of(name, before):
            return self._describe_tensor(name, known[-1], before)
        later = self._find_states_of(name, [self.events[at] for at, _ in inside])
        return self._describe_tensor(name, later[0], ()) if later else ""

    def _find_states_of(self, name: str, events: Iterable[Event]) -> list[TensorState]:
        return [state for event in events for state in list_states(event) if name in self._also.get(state.id, ())]

    def name_of(self, tensor: TensorState) -> str:
        """Return the tensor's name as the reader knows it."""
        return self._names.quote_name(tensor)

    def find_unseen_tensor(self, write: Write) -> TensorState | None:
        """Return the latest state of the tensor whose version a write through an alias does not raise."""
        if not write.alias and write.version_after != write.tensor.version:
            return None
        before = self.events[: _find_index(self.events, write)]
        same = (state for event in before for state in list_states(event) if state.storage == write.tensor.storage)
        others = [state for state in same if state.counter != write.tensor.counter]
        return others[-1] if others else write.tensor

    def _find_safety_reasons(self, write: Write) -> list[str]:
        before = self.events[: _find_index(self.events, write)]
        saves = [event for event in before if isinstance(event, Save) and event.tensor.storage == write.tensor.storage]
        needed = [save for save in saves if save.when]
        reasons = _explain_leaf(write)
        if not needed:
            return [*reasons, self._explain_unsaved(before, write)]
        return [*reasons, *dict.fromkeys(self._explain_save(before, save, write) for save in needed)]

    def _explain_unsaved(self, before: Sequence[Event], write: Write) -> str:
        name = self.name_of(write.tensor)
        if not write.tensor.requires_grad and not write.needs_grad:
            return f"{name} does not require grad, and no op has saved it for a backward"
        made = [event for event in before if isinstance(event, Create) and event.tensor.storage == write.tensor.storage]
        if not made or made[-1].op in {"", "input", "unknown", "Parameter", "buffer", "grad"}:
            return f"nothing saved {name} before this line"
        return f"nothing saved {name}: {self.describe_saves(made[-1].op, made[-1].span)}"

    def _explain_save(self, before: Sequence[Event], save: Save, write: Write) -> str:
        who = f"`{save.op}` on line {save.span.row} saved {self.name_of(save.tensor)}"
        freed = [event for event in before if isinstance(event, Free) and event.node == save.node]
        if freed:
            return f"{who}, but the backward on line {freed[-1].span.row} has already used it"
        checks = [event for event in self.events if isinstance(event, Check) and event.save == save.key]
        if not checks:
            return f"{who}, but no backward in sight reaches it"
        if save.tensor.counter != write.tensor.counter and any(check.changed is False for check in checks):
            return f"{who}, and its contents stay the same"
        return f"{who} at version {save.tensor.version}, and backward finds that version again"

    def _describe_save(self, save: Save) -> str:
        part, name = name_saved_part(save.role), self._names.name_of(save.tensor)
        if part == "its result":
            named = f"{part} `{name}`" if name else part
        else:
            named = f"`{name}`" if name else self._names.name_stand_in(save.tensor, part)
        return named + _describe_condition(save.when)

    def _describe_tensor(self, name: str, state: TensorState, before: Sequence[Event]) -> str:
        version = max([state.version, *(write.version_after for write in _find_counted_writes(state.counter, before))])
        views = [event for event in before if isinstance(event, View) and event.tensor.id == state.id]
        lines = [f"a view of {self.name_of(view.of)} (`{view.op}`)" for view in views[-1:]]
        shared = self._find_names_sharing(state.storage, before) - {name}
        if shared:
            lines.append("shares memory with " + _join_words(f"`{alias}`" for alias in sorted(shared)))
        lines += _describe_saves_of(state.storage, before)
        title = f"`{name}`: a tensor at version {version}{_describe_gradient(state)}"
        return "\n".join([title, "", *(f"- {line}" for line in dict.fromkeys(lines))]).rstrip()

    def _find_names_sharing(self, storage: int, before: Sequence[Event]) -> set[str]:
        """Return the names of all tensors in that memory."""
        same = {seen.id for event in before for seen in list_states(event) if seen.storage == storage}
        return {name for number in same if (name := self._names.find_first_name(number))}


def _find_passing_views(events: Iterable[Event]) -> set[int]:
    """Return the views that exist in one statement only, as that of `x[0] = 1`: no variable is bound to them."""
    made = {event.tensor.id: event.span for event in events if isinstance(event, View)}
    later = {
        state.id
        for event in events
        for state in list_states(event)
        if state.id in made and event.span != made[state.id]
    }
    return made.keys() - later


def _describe_saves_of(storage: int, events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, Save) and event.tensor.storage == storage and event.when:
            yield f"saved by `{event.op}` on line {event.span.row} at version {event.tensor.version}"


def _find_counted_writes(counter: int, events: Iterable[Event]) -> Iterator[Write]:
    """Yield the writes that raise a version counter."""
    for event in events:
        if isinstance(event, Write) and event.tensor.counter == counter and not _is_refused(event):
            yield event


def _is_refused(write: Write) -> bool:
    found = find_rejection(write)
    return bool(write.refused) or (found is not None and found[1].always)


def _find_index(events: Sequence[Event], wanted: Event) -> int:
    return next(at for at, event in enumerate(events) if event is wanted)


def _quote_op(who: str) -> str:
    """Return the op as code, or words unquoted for the start of a sentence."""
    return f"{who[0].upper()}{who[1:]}" if " " in who or who == "backward" else f"`{who}`"


def _describe_version(write: Write) -> str:
    if write.version_after == write.tensor.version:
        return f"its version stays {write.tensor.version}, the version counter does not see the write"
    return f"version {write.tensor.version} → {write.version_after}"


def _explain_leaf(write: Write) -> list[str]:
    tensor = write.tensor
    if not write.grad_mode and tensor.leaf and tensor.requires_grad:
        return ["under `no_grad` a leaf that requires grad may be written"]
    return []


def _describe_gradient(state: TensorState) -> str:
    if not state.requires_grad:
        return ", needs no gradient"
    kind = "leaf" if state.leaf else "result of an op"
    if state.requires_grad.inputs == {state.name}:
        return ", may require grad"
    inputs = " or ".join(f"`{name}`" for name in sorted(state.requires_grad.inputs))
    return f", {kind}, requires grad" + ("" if state.requires_grad.always else f" if {inputs} does")


def _describe_condition(when: When) -> str:
    if when.always:
        return ""
    return f" (if {' or '.join(sorted(when.inputs))} requires grad)" if when else " (no gradient is needed)"


def _join_words(parts: Iterable[str]) -> str:
    parts = list(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]
