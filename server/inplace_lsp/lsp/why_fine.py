"""Why a write in place breaks nothing: read off the tape, for the reader who wonders."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.tape.model import Check, Create, Event, Free, Save, Span, Tape, TensorState, View, When, Write


def writes_at(tapes: Iterable[Tape], file: str, row: int) -> list[tuple[Tape, Write]]:
    """The writes of the statement on `row`, one for each tensor name and op."""
    found: dict[tuple[str, str], tuple[Tape, Write]] = {}
    for tape in tapes:
        for event in tape.events:
            if isinstance(event, Write) and covers(event.span, file, row):
                found.setdefault((event.tensor.name, event.op), (tape, event))
    return list(found.values())


def covers(span: Span, file: str, row: int) -> bool:
    """Whether `row` is one of the rows of `span`."""
    return span.file == file and span.row <= row <= span.end_row


def why_fine(tape: Tape, write: Write) -> str:
    """One paragraph about a write that no hazard was found at."""
    what = f"`{write.op}` writes {_name(write.tensor)} in place: {_version(write)}. "
    return what + "It is fine: " + "; ".join(_reasons(tape, write)) + "."


def _version(write: Write) -> str:
    if write.version_after == write.tensor.version:
        return f"its version stays {write.tensor.version}, the version counter does not see the write"
    return f"version {write.tensor.version} → {write.version_after}"


def _reasons(tape: Tape, write: Write) -> list[str]:
    before = _before(tape.events, write)
    saves = [one for one in before if isinstance(one, Save) and one.tensor.storage == write.tensor.storage]
    needed = [save for save in saves if save.when]
    reasons = _about_leaf(write)
    if not needed:
        return [*reasons, _nothing_saved(before, write)]
    return [*reasons, *dict.fromkeys(_about_save(tape, save, write) for save in needed)]


def _about_leaf(write: Write) -> list[str]:
    tensor = write.tensor
    if not write.grad_mode and tensor.leaf and tensor.requires_grad:
        return ["under `no_grad` a leaf that requires grad may be written"]
    return []


def _nothing_saved(before: list[Event], write: Write) -> str:
    name = _name(write.tensor)
    if not write.tensor.requires_grad and not write.needs_grad:
        return f"{name} needs no gradient, and no op has saved it for one"
    made = [one for one in before if isinstance(one, Create) and one.tensor.storage == write.tensor.storage]
    if not made or made[-1].op in {"", "input"}:
        return f"nothing saved {name} before this line"
    return f"nothing saved {name}: {what_it_saves(before, made[-1].op, made[-1].span)}"


def _about_save(tape: Tape, save: Save, write: Write) -> str:
    who = f"`{save.op}` on line {save.span.row} saved {_name(save.tensor)}"
    freed = [one for one in _before(tape.events, write) if isinstance(one, Free) and one.node == save.node]
    if freed:
        return f"{who}, but the backward on line {freed[-1].span.row} has already used it"
    checks = [one for one in tape.events if isinstance(one, Check) and one.save == save.key]
    if not checks:
        return f"{who}, but no backward in sight reaches it"
    if save.tensor.counter != write.tensor.counter and any(check.changed is False for check in checks):
        return f"{who}, and its contents stay the same"
    return f"{who} at version {save.tensor.version}, and finds that version again"


def what_it_saves(events: Iterable[Event], op: str, span: Span) -> str:
    """What `op` at `span` keeps for its backward, in words."""
    saves = [one for one in events if isinstance(one, Save) and one.op == op and one.span == span]
    if not saves:
        return f"`{op}` on line {span.row} saves neither its inputs nor its result"
    return f"`{op}` on line {span.row} saves " + _and(dict.fromkeys(saved(save) for save in saves))


def saved(save: Save) -> str:
    """The saved tensor, its part in the op and the condition under which it is kept."""
    role = "its result" if save.role.startswith("result") else f"its {save.role}"
    named = f"{role} {_name(save.tensor)}" if save.tensor.name else role
    return named + _if(save.when)


def _if(when: When) -> str:
    if when.always:
        return ""
    return f" (if {' or '.join(sorted(when.inputs))} requires grad)" if when else " (no gradient is needed)"


def _and(parts: Iterable[str]) -> str:
    parts = list(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]


def _before(events: Iterable[Event], end: Event) -> list[Event]:
    found = []
    for event in events:
        if event is end:
            break
        found.append(event)
    return found


def _name(tensor: TensorState) -> str:
    return f"`{tensor.name}`" if tensor.name else "a temporary"


def about_tensor(tapes: Iterable[Tape], file: str, row: int, name: str) -> str:
    """What is known about the variable `name` when `row` is reached: version, leaf, views, who saved it."""
    for tape in tapes:
        before = [one for one in tape.events if one.span.file == file and one.span.row <= row]
        states = [state for one in before for state in _states(one) if state.name == name]
        if states and any(covers(one.span, file, row) or one.span.row > row for one in tape.events):
            return _tensor(name, states[-1], before)
    return ""


def _tensor(name: str, state: TensorState, before: list[Event]) -> str:
    writes = [one for one in before if isinstance(one, Write) and one.tensor.counter == state.counter]
    version = max([state.version, *(write.version_after for write in writes)])
    lines = [f"`{name}`: a tensor at version {version}{_gradient(state)}"]
    views = [one for one in before if isinstance(one, View) and one.tensor.id == state.id]
    lines += [f"a view of {_name(one.of)} (`{one.op}`)" for one in views[-1:]]
    shared = {one.name for event in before for one in _states(event) if one.storage == state.storage} - {name, ""}
    if shared:
        lines.append("shares memory with " + _and(f"`{one}`" for one in sorted(shared)))
    saves = [one for one in before if isinstance(one, Save) and one.tensor.storage == state.storage and one.when]
    lines += dict.fromkeys(
        f"saved by `{one.op}` on line {one.span.row} at version {one.tensor.version}" for one in saves
    )
    return "\n".join([lines[0], "", *(f"- {line}" for line in lines[1:])]).rstrip()


def _gradient(state: TensorState) -> str:
    if not state.requires_grad:
        return ", needs no gradient"
    kind = "leaf" if state.leaf else "result of an op"
    return f", {kind}, requires grad" + _if(state.requires_grad)


def _states(event: Event) -> tuple[TensorState, ...]:
    if isinstance(event, View):
        return event.of, event.tensor
    tensor = getattr(event, "tensor", None)
    return (tensor,) if isinstance(tensor, TensorState) else ()
