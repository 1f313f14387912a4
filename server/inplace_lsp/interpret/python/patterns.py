"""Match `match` patterns against a subject, and bind their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from inplace_lsp.interpret.machine.iteration import to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Class,
    Frame,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Number,
    Unknown,
    Value,
    make_key,
)
from inplace_lsp.source import ir

Answer = bool | None
"""True, False, or None if it is not known."""


def match_pattern(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    """Return whether `subject` matches `pattern`, and bind the names of the pattern."""
    return _MATCHERS[pattern.kind](machine, pattern, subject, frame)


def _match_capture(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    answer = match_pattern(machine, pattern.parts[0], subject, frame) if pattern.parts else True
    if pattern.name:
        frame.bind_name(pattern.name, subject)
    return answer


def _match_value(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    value = machine.evaluate(pattern.value, frame) if pattern.value is not None else None
    if isinstance(value, Known) and isinstance(subject, Known):
        return bool(value.value == subject.value)
    return None if isinstance(subject, (Unknown, Number, Known)) else False


def _match_alternatives(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    answers = [match_pattern(machine, part, subject, frame) for part in pattern.parts]
    return True if True in answers else None if None in answers else False


def _match_sequence(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    if not isinstance(subject, (Items, Unknown)):
        return False
    star = next((at for at, part in enumerate(pattern.parts) if part.kind == "star"), None)
    wanted = len(pattern.parts) - (star is not None)
    items = to_items(machine, subject, wanted).items
    if len(items) < wanted or (star is None and len(items) != wanted):
        return None if isinstance(subject, Unknown) else False
    if star is not None:
        after = len(pattern.parts) - star - 1
        middle = Items("list", items[star : len(items) - after])
        items = [*items[:star], middle, *items[len(items) - after :]]
    answer = _match_parts(machine, pattern.parts, items, frame)
    return None if isinstance(subject, Unknown) and answer else answer


def _match_mapping(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    if not isinstance(subject, Mapping):
        return _match_unknown(machine, pattern, subject, frame) if isinstance(subject, Unknown) else False
    keys = [make_key(machine.evaluate(key, frame)) for key in pattern.keys]
    if any(key not in subject.items for key in keys):
        return _match_unknown(machine, pattern, subject, frame) if subject.open else False
    if pattern.name:
        rest = {key: value for key, value in subject.items.items() if key not in keys}
        frame.bind_name(pattern.name, Mapping(rest, subject.open))
    return _match_parts(machine, pattern.parts, [subject.items[key] for key in keys], frame)


def _match_class(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    cls = machine.evaluate(pattern.value, frame) if pattern.value is not None else None
    if isinstance(cls, Library):
        return _match_library_class(machine, cls, pattern, subject, frame)
    if not isinstance(cls, Class) or not isinstance(subject, Instance):
        known = isinstance(subject, (Known, Items, Mapping)) and isinstance(cls, Class)
        return False if known else _match_unknown(machine, pattern, subject, frame)
    if cls not in subject.cls.list_lineage():
        return False
    names = _find_matched_attributes(pattern, cls)
    values = [machine.get_attribute(subject, name) if name else machine.make_unknown("matched") for name in names]
    return _match_parts(machine, pattern.parts, values, frame)


def _find_matched_attributes(pattern: ir.Pattern, cls: Class) -> list[str]:
    """Return the attribute that each part of a class pattern matches, "" if it is not known."""
    fields = cls.look_up("__annotated__")
    known = fields.items if isinstance(fields, Items) else []
    order = [str(field.value) for field in known if isinstance(field, Known)]
    return [name or (order[at] if at < len(order) else "") for at, name in enumerate(pattern.attributes)]


def _match_library_class(machine: Machine, cls: Library, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    """Match `int()`, `str(text)`, `torch.Tensor()`: the pattern in the brackets applies to the subject itself."""
    answer = machine.call(Library("builtins.isinstance"), [subject, cls], {})
    if not isinstance(answer, Known):
        return _match_unknown(machine, pattern, subject, frame)
    return bool(answer.value) and _match_parts(machine, pattern.parts[:1], [subject], frame)


def _match_parts(machine: Machine, parts: Iterable[ir.Pattern], values: Sequence[Value], frame: Frame) -> Answer:
    answers = [match_pattern(machine, part, value, frame) for part, value in zip(parts, values, strict=False)]
    return False if False in answers else None if None in answers else True


def _match_unknown(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    """Bind the names of a pattern to unknowns; whether the subject fits is not known."""
    for part in pattern.parts:
        match_pattern(machine, part, machine.make_unknown("matched"), frame)
    if pattern.name:
        frame.bind_name(pattern.name, machine.make_unknown(pattern.name))
    return None


_MATCHERS: dict[str, Callable[[Machine, ir.Pattern, Any, Frame], Answer]] = {
    "capture": _match_capture,
    "star": _match_capture,
    "value": _match_value,
    "or": _match_alternatives,
    "sequence": _match_sequence,
    "mapping": _match_mapping,
    "class": _match_class,
    "other": _match_unknown,
}
