"""`match`: whether a subject fits a pattern, and the names it binds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from inplace_lsp.interpret.machine.iteration import to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import (
    Class,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Number,
    Unknown,
    Value,
    key_of,
)
from inplace_lsp.source import ir

Answer = bool | None
"""True, False, or None where it is not known."""


def fits(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    """Whether `subject` matches `pattern`; binds the names of the pattern."""
    return _FITS[pattern.kind](machine, pattern, subject, frame)


def _capture(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    answer = fits(machine, pattern.parts[0], subject, frame) if pattern.parts else True
    if pattern.name:
        frame.bind(pattern.name, subject)
    return answer


def _value(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    value = machine.evaluate(pattern.value, frame) if pattern.value is not None else None
    if isinstance(value, Known) and isinstance(subject, Known):
        return bool(value.value == subject.value)
    return None if isinstance(subject, (Unknown, Number, Known)) else False


def _either(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    answers = [fits(machine, part, subject, frame) for part in pattern.parts]
    return True if True in answers else None if None in answers else False


def _sequence(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
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
    answer = _all(machine, pattern.parts, items, frame)
    return None if isinstance(subject, Unknown) and answer else answer


def _mapping(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    if not isinstance(subject, Mapping):
        return _guess(machine, pattern, subject, frame) if isinstance(subject, Unknown) else False
    keys = [key_of(machine.evaluate(key, frame)) for key in pattern.keys]
    if any(key not in subject.items for key in keys):
        return _guess(machine, pattern, subject, frame) if subject.open else False
    if pattern.name:
        rest = {key: value for key, value in subject.items.items() if key not in keys}
        frame.bind(pattern.name, Mapping(rest, subject.open))
    return _all(machine, pattern.parts, [subject.items[key] for key in keys], frame)


def _class(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    cls = machine.evaluate(pattern.value, frame) if pattern.value is not None else None
    if isinstance(cls, Library):
        return _builtin(machine, cls, pattern, subject, frame)
    if not isinstance(cls, Class) or not isinstance(subject, Instance):
        known = isinstance(subject, (Known, Items, Mapping)) and isinstance(cls, Class)
        return False if known else _guess(machine, pattern, subject, frame)
    if cls not in subject.cls.lineage():
        return False
    fields = cls.lookup("__annotated__")
    order = [str(f.value) for f in fields.items if isinstance(f, Known)] if isinstance(fields, Items) else []
    names = [name or (order[at] if at < len(order) else "") for at, name in enumerate(pattern.attributes)]
    values = [machine.attribute(subject, name) if name else machine.unknown("matched") for name in names]
    return _all(machine, pattern.parts, values, frame)


def _builtin(machine: Machine, cls: Library, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    """`int()`, `str(text)`, `torch.Tensor()`: what stands in the brackets is the subject itself."""
    answer = machine.call(Library("builtins.isinstance"), [subject, cls], {})
    if not isinstance(answer, Known):
        return _guess(machine, pattern, subject, frame)
    return bool(answer.value) and _all(machine, pattern.parts[:1], [subject], frame)


def _all(machine: Machine, parts: Iterable[ir.Pattern], values: Sequence[Value], frame: Frame) -> Answer:
    answers = [fits(machine, part, value, frame) for part, value in zip(parts, values, strict=False)]
    return False if False in answers else None if None in answers else True


def _guess(machine: Machine, pattern: ir.Pattern, subject: Value, frame: Frame) -> Answer:
    """Nothing is known of the subject's inside: the names are bound to something, and it may fit or not."""
    for part in pattern.parts:
        fits(machine, part, machine.unknown("matched"), frame)
    if pattern.name:
        frame.bind(pattern.name, machine.unknown(pattern.name))
    return None


_FITS: dict[str, Callable[[Machine, ir.Pattern, Any, Frame], Answer]] = {
    "capture": _capture,
    "star": _capture,
    "value": _value,
    "or": _either,
    "sequence": _sequence,
    "mapping": _mapping,
    "class": _class,
    "other": _guess,
}
