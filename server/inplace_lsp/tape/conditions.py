"""The same events where some of the inputs are known to require no grad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from inplace_lsp.tape.model import Event, TensorState, When


def without(events: Sequence[Event], inputs: frozenset[str]) -> tuple[Event, ...]:
    """Return `events` as they are where none of `inputs` requires grad."""
    return tuple(_without(event, inputs) for event in events) if inputs else tuple(events)


def _without(event: Any, inputs: frozenset[str]) -> Any:
    """Return an event, or the state of a tensor in it, with its conditions narrowed."""
    kind: Any = type(event)
    changes: dict[str, Any] = {}
    for name in _conditional(kind):
        value = getattr(event, name)
        narrowed = _narrowed(value, inputs) if isinstance(value, When) else _without(value, inputs)
        if narrowed is not value:
            changes[name] = narrowed
    return replace(event, **changes) if changes else event


def _narrowed(when: When, inputs: frozenset[str]) -> When:
    return when if when.inputs.isdisjoint(inputs) else When(when.always, when.inputs - inputs)


@cache
def _conditional(kind: Any) -> tuple[str, ...]:
    """The fields of a class that hold a condition, or the state of a tensor."""
    return tuple(field.name for field in fields(kind) if field.type in (When.__name__, TensorState.__name__))
