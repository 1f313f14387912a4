"""Tapes as plain data and back: what the worker sends, what `trace` prints as JSON.

`to_plain(tape)` is `{"version": 1, "function", "events": [...], "error", "notes", "parameters", "trained", "made_with",
"guards", "assumed", "refusals", "scopes"}`. Every event is a dictionary with its `kind` (`create`, `view`, `save`,
`write`, `set-data`, `reject`, `backward`, `check`, `free`) and the fields of its class in `tape.model`. A span is
`{"file", "row", "column", "end_row", "end_column"}` (1-based rows, 0-based columns in code points); a condition is
`true`, `false` or a list of inputs, at least one of which must require grad.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from inplace_lsp.tape.model import (
    Backward,
    Check,
    Create,
    Event,
    Free,
    Reject,
    Save,
    SetData,
    Tape,
    View,
    Write,
)
from inplace_lsp.tape.plain import Plain, build_dataclass, build_from_known_fields, fields_to_plain, tuple_of

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
_CLASSES: dict[str, Callable[..., Event]] = {kind: cls for cls, kind in KINDS.items()}


class FormatError(ValueError):
    """Plain data that is not a tape of this version; the message says where."""


def to_plain(tape: Tape) -> dict[str, Plain]:
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
        "guards": [fields_to_plain(guard) for guard in tape.guards],
        "assumed": list(tape.assumed),
        "refusals": list(tape.refusals),
        "scopes": [fields_to_plain(scope) for scope in tape.scopes],
    }


def event_to_plain(event: Event) -> dict[str, Plain]:
    """Return an event with its `kind`."""
    return {"kind": KINDS[type(event)], **fields_to_plain(event)}


def from_plain(data: Mapping[str, Plain]) -> Tape:
    """Return the tape that `to_plain` converted to `data`. Raises `FormatError` for other data."""
    if data.get("version") != VERSION:
        raise FormatError(f"version {data.get('version')!r} is not {VERSION}")
    try:
        events = tuple(map(_build_event, tuple_of(data["events"])))
        return replace(build_from_known_fields(Tape, {**data, "events": ()}), events=events)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"not a tape: {type(error).__name__}: {error}") from error


def _build_event(data: Plain) -> Event:
    if not isinstance(data, Mapping):
        raise TypeError(f"{data!r} is no event")
    return build_dataclass(_CLASSES[str(data["kind"])], {name: value for name, value in data.items() if name != "kind"})
