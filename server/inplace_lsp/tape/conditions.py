"""Narrow the conditions of events when some inputs are known not to require grad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from inplace_lsp.tape.model import Event, TensorState, When


def without_inputs(events: Sequence[Event], inputs: frozenset[str]) -> tuple[Event, ...]:
    """Return `events` as they are if none of `inputs` requires grad."""
    return tuple(_narrow_event(event, inputs) for event in events) if inputs else tuple(events)


def _narrow_event(event: Any, inputs: frozenset[str]) -> Any:
    """Return an event, or the state of a tensor in it, with its conditions narrowed."""
    kind: Any = type(event)
    changes: dict[str, Any] = {}
    for name in _conditional_fields(kind):
        value = getattr(event, name)
        narrowed = _narrow_condition(value, inputs) if isinstance(value, When) else _narrow_event(value, inputs)
        if narrowed is not value:
            changes[name] = narrowed
    return replace(event, **changes) if changes else event


def _narrow_condition(when: When, inputs: frozenset[str]) -> When:
    return when if when.inputs.isdisjoint(inputs) else When(when.always, when.inputs - inputs)


@cache
def _conditional_fields(kind: Any) -> tuple[str, ...]:
    """Return the fields of a class that hold a condition or the state of a tensor."""
    return tuple(field.name for field in fields(kind) if field.type in (When.__name__, TensorState.__name__))
