"""Why a write in place breaks nothing: read off the tape, for the reader who wonders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.hazards.reason import reason
from inplace_lsp.tape.autograd import is_as_made
from inplace_lsp.tape.model import Check, Create, Event, Free, Save, Span, Tape, TensorState, View, When, Write


def tapes_at(tapes: Iterable[Tape], file: str, row: int) -> list[Tape]:
    """The tapes that have something to say about `row`: of a large file with many functions, these are few."""
    return [tape for tape in tapes if any(_touches(event, file, row) for event in tape.events)]


def _touches(event: Event, file: str, row: int) -> bool:
    declared = event.declared if isinstance(event, Write) else None
    return covers(event.span, file, row) or (declared is not None and covers(declared, file, row))


def writes_at(tapes: Iterable[Tape], file: str, row: int) -> list[tuple[Tape, Write]]:
    """The writes of the statement on `row`, one for each tensor name and op."""
    found: dict[tuple[str, str], tuple[Tape, Write]] = {}
    for tape in tapes:
        for event in tape.events:
            if isinstance(event, Write) and covers(event.span, file, row):
                found.setdefault((event.tensor.name, event.op), (tape, event))
    return list(found.values())


def declared_at(tapes: Iterable[Tape], file: str, row: int) -> list[tuple[Tape, Write]]:
    """The writes that an `inplace=True` in the statement on `row` causes, one for each line."""
    found: dict[int, tuple[Tape, Write]] = {}
    for tape in tapes:
        for event in tape.events:
            if isinstance(event, Write) and event.declared is not None and covers(event.declared, file, row):
                found.setdefault(event.span.row, (tape, event))
    return list(found.values())


def covers(span: Span, file: str, row: int) -> bool:
    """Whether `row` is one of the rows of `span`."""
    return span.file == file and span.row <= row <= span.end_row


class Teller:
    """Tells about one tape in words, with the names that tensors get only after the op that made them."""

    def __init__(self, tape: Tape) -> None:
        self.events = tuple(one for one in tape.events if not (isinstance(one, Save) and is_as_made(one)))
        states = [state for event in tape.events for state in states_of(event) if state.name]
        self._names = {state.id: state.name for state in reversed(states)}

    def why_fine(self, write: Write) -> str:
        """One paragraph about a write that no hazard was found at."""
        what = f"`{write.op}` writes {self.name(write.tensor)} in place: {_version(write)}. "
        return what + "It is fine: " + "; ".join(self._reasons(write)) + "."

    def what_it_saves(self, op: str, span: Span) -> str:
        """What `op` at `span` keeps for its backward."""
        saves = [one for one in self.events if isinstance(one, Save) and one.op == op and one.span == span]
        if not saves:
            return f"`{op}` on line {span.row} saves neither its inputs nor its result"
        return f"`{op}` on line {span.row} saves " + _and(dict.fromkeys(self._saved(save) for save in saves))

    def what_is_saved_on(self, file: str, row: int) -> list[str]:
        """What each op of the statement on `row` keeps, with the reason."""
        saves = [one for one in self.events if isinstance(one, Save) and covers(one.span, file, row)]
        ops = dict.fromkeys((save.op, save.span) for save in saves)
        return [self.with_reason(op, span) for op, span in ops]

    def with_reason(self, op: str, span: Span) -> str:
        """What `op` keeps, and why its derivative needs it."""
        roles = [one.role for one in self.events if isinstance(one, Save) and one.op == op and one.span == span]
        why = f": {reason(op, roles[0])}" if roles else ""
        return f"{self.what_it_saves(op, span)}{why}."

    def about(self, name: str, file: str, row: int) -> str:
        """What is known about the variable `name` when `row` has been executed; "" if the tape does not know it."""
        reached = [at for at, one in enumerate(self.events) if covers(one.span, file, row)]
        before = self.events[: reached[-1] + 1] if reached else ()
        known = [state for one in before for state in states_of(one) if self._names.get(state.id) == name]
        return self._tensor(name, known[-1], before) if known else ""

    def name(self, tensor: TensorState) -> str:
        """The tensor as the reader knows it."""
        name = self._names.get(tensor.id)
        return f"`{name}`" if name else "a temporary"

    def _reasons(self, write: Write) -> list[str]:
        before = self.events[: _index(self.events, write)]
        saves = [one for one in before if isinstance(one, Save) and one.tensor.storage == write.tensor.storage]
        needed = [save for save in saves if save.when]
        reasons = _about_leaf(write)
        if not needed:
            return [*reasons, self._nothing_saved(before, write)]
        return [*reasons, *dict.fromkeys(self._about_save(before, save, write) for save in needed)]

    def _nothing_saved(self, before: Sequence[Event], write: Write) -> str:
        name = self.name(write.tensor)
        if not write.tensor.requires_grad and not write.needs_grad:
            return f"{name} needs no gradient, and no op has saved it for one"
        made = [one for one in before if isinstance(one, Create) and one.tensor.storage == write.tensor.storage]
        if not made or made[-1].op in {"", "input", "unknown"}:
            return f"nothing saved {name} before this line"
        return f"nothing saved {name}: {self.what_it_saves(made[-1].op, made[-1].span)}"

    def _about_save(self, before: Sequence[Event], save: Save, write: Write) -> str:
        who = f"`{save.op}` on line {save.span.row} saved {self.name(save.tensor)}"
        freed = [one for one in before if isinstance(one, Free) and one.node == save.node]
        if freed:
            return f"{who}, but the backward on line {freed[-1].span.row} has already used it"
        checks = [one for one in self.events if isinstance(one, Check) and one.save == save.key]
        if not checks:
            return f"{who}, but no backward in sight reaches it"
        if save.tensor.counter != write.tensor.counter and any(check.changed is False for check in checks):
            return f"{who}, and its contents stay the same"
        return f"{who} at version {save.tensor.version}, and backward finds that version again"

    def _saved(self, save: Save) -> str:
        if save.role == "private":
            return "a copy of its own"
        role = "its result" if save.role.startswith("result") else f"its {save.role}"
        named = f"{role} {self.name(save.tensor)}" if save.tensor.id in self._names else role
        return named + _if(save.when)

    def _tensor(self, name: str, state: TensorState, before: Sequence[Event]) -> str:
        writes = [one for one in before if isinstance(one, Write) and one.tensor.counter == state.counter]
        version = max([state.version, *(write.version_after for write in writes)])
        views = [one for one in before if isinstance(one, View) and one.tensor.id == state.id]
        lines = [f"a view of {self.name(one.of)} (`{one.op}`)" for one in views[-1:]]
        same = {one.id for event in before for one in states_of(event) if one.storage == state.storage}
        shared = sorted({self._names[one] for one in same if one in self._names} - {name})
        if shared:
            lines.append("shares memory with " + _and(f"`{one}`" for one in shared))
        saves = [one for one in before if isinstance(one, Save) and one.tensor.storage == state.storage and one.when]
        lines += [f"saved by `{one.op}` on line {one.span.row} at version {one.tensor.version}" for one in saves]
        title = f"`{name}`: a tensor at version {version}{_gradient(state)}"
        return "\n".join([title, "", *(f"- {line}" for line in dict.fromkeys(lines))]).rstrip()


def states_of(event: Event) -> tuple[TensorState, ...]:
    """The tensors that an event speaks of."""
    if isinstance(event, View):
        return event.of, event.tensor
    tensor = getattr(event, "tensor", None)
    return (tensor,) if isinstance(tensor, TensorState) else ()


def _index(events: Sequence[Event], wanted: Event) -> int:
    return next(at for at, event in enumerate(events) if event is wanted)


def _version(write: Write) -> str:
    if write.version_after == write.tensor.version:
        return f"its version stays {write.tensor.version}, the version counter does not see the write"
    return f"version {write.tensor.version} → {write.version_after}"


def _about_leaf(write: Write) -> list[str]:
    tensor = write.tensor
    if not write.grad_mode and tensor.leaf and tensor.requires_grad:
        return ["under `no_grad` a leaf that requires grad may be written"]
    return []


def _gradient(state: TensorState) -> str:
    if not state.requires_grad:
        return ", needs no gradient"
    kind = "leaf" if state.leaf else "result of an op"
    inputs = " or ".join(f"`{name}`" for name in sorted(state.requires_grad.inputs))
    return f", {kind}, requires grad" + ("" if state.requires_grad.always else f" if {inputs} does")


def _if(when: When) -> str:
    if when.always:
        return ""
    return f" (if {' or '.join(sorted(when.inputs))} requires grad)" if when else " (no gradient is needed)"


def _and(parts: Iterable[str]) -> str:
    parts = list(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]
