"""Tapes as plain data and back: what the worker sends, what `trace` prints as JSON.

`to_plain(tape)` is `{"version": 1, "function", "events": [...], "error", "notes", "parameters", "trained",
"made_with"}`. Every
event is a dictionary with its `kind` (`create`, `view`, `save`, `write`, `set-data`, `reject`, `backward`, `check`,
`free`) and the fields of its class in `tape.model`. A span is `{"file", "row", "column", "end_row", "end_column"}`
(1-based rows, 0-based columns in code points); a condition is `true`, `false` or the list of the inputs of which one
must require grad.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, get_args, get_type_hints

from inplace_lsp.tape.model import (
    ALWAYS,
    NEVER,
    Actor,
    Backward,
    Check,
    Create,
    Event,
    Free,
    Refusal,
    Reject,
    Save,
    SetData,
    Span,
    Tape,
    TensorState,
    View,
    ViewKind,
    When,
    Write,
)

VERSION = 1

KINDS: dict[type[Event], str] = {
    Create: "create",
    View: "view",
    Save: "save",
    Write: "write",
    SetData: "set-data",
    Reject: "reject",
    Backward: "backward",
    Check: "check",
    Free: "free",
}
_CLASSES = {kind: cls for cls, kind in KINDS.items()}


class FormatError(ValueError):
    """Plain data that is not a tape of this version; the message says where."""


def to_plain(tape: Tape) -> dict[str, Any]:
    """Return the tape as dictionaries, lists, strings, numbers, booleans and None."""
    return {
        "version": VERSION,
        "function": tape.function,
        "events": [event_to_plain(event) for event in tape.events],
        "error": tape.error,
        "notes": list(tape.notes),
        "parameters": list(tape.parameters),
        "trained": sorted(tape.trained),
        "made_with": list(tape.made_with),
    }


def event_to_plain(event: Event) -> dict[str, Any]:
    """Return an event with its `kind`."""
    return {"kind": KINDS[type(event)], **_fields_to_plain(event)}


def from_plain(data: Mapping[str, Any]) -> Tape:
    """Return the tape that `to_plain` converted to `data`. Raises `FormatError` for other data."""
    if data.get("version") != VERSION:
        raise FormatError(f"version {data.get('version')!r} is not {VERSION}")
    try:
        events = tuple(_build_event(event) for event in data["events"])
        given, trained = tuple(data.get("parameters", ())), frozenset(data.get("trained", ()))
        made_with = tuple(data.get("made_with", ()))
        return Tape(data["function"], events, data["error"], tuple(data["notes"]), given, trained, made_with)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"not a tape: {type(error).__name__}: {error}") from error


def _fields_to_plain(value: Any) -> dict[str, Any]:
    return {field.name: _value_to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _value_to_plain(value: Any) -> Any:
    if isinstance(value, When):
        return sorted(value.inputs) if value.inputs and not value.always else value.always
    if isinstance(value, Enum):
        return value.value
    return _fields_to_plain(value) if dataclasses.is_dataclass(value) else value


def _build_event(data: Mapping[str, Any]) -> Event:
    made: Event = _build_record(_CLASSES[data["kind"]], {name: value for name, value in data.items() if name != "kind"})
    return made


def _build_record(cls: type[Any], data: Mapping[str, Any]) -> Any:
    readers: dict[str, Callable[[Any], Any]] = _field_readers(cls)  # type: ignore[arg-type]  # a class can be hashed
    return cls(**{name: readers[name](value) for name, value in data.items()})


@cache
def _field_readers(cls: Any) -> dict[str, Callable[[Any], Any]]:
    """Return, for each field of `cls`, the function that builds its value from plain data."""
    hints = get_type_hints(cls)
    return {field.name: _make_reader(hints[field.name]) for field in dataclasses.fields(cls)}


def _make_reader(hint: Any) -> Callable[[Any], Any]:
    options = [option for option in (hint, *get_args(hint)) if option in _SPECIAL]
    if not options:
        return _as_is
    read = _SPECIAL[options[0]]
    return lambda value: None if value is None else read(value)


def _as_is(value: Any) -> Any:
    return value


def _build_when(value: Any) -> When:
    if isinstance(value, bool):
        return ALWAYS if value else NEVER
    return When(False, frozenset(value))


_SPECIAL: dict[Any, Callable[[Any], Any]] = {
    Span: lambda value: Span(**value),
    When: _build_when,
    TensorState: lambda value: _build_record(TensorState, value),
    ViewKind: ViewKind,
    Actor: Actor,
    Refusal: Refusal,
    tuple[str, ...]: tuple,
    tuple[int | None, ...]: tuple,
}
