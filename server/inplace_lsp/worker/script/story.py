"""The tape of one in-place error, made of what was noted about the memory in question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch

from inplace_lsp.tape.model import (
    ALWAYS,
    NEVER,
    Actor,
    Backward,
    Check,
    Create,
    Event,
    Save,
    Span,
    Tape,
    TensorState,
    View,
    ViewKind,
    Write,
)
from inplace_lsp.worker.heap import share_counter
from inplace_lsp.worker.naming import op_name
from inplace_lsp.worker.places import statement
from inplace_lsp.worker.saves import op_of
from inplace_lsp.worker.script.notes import Kept, Made, Written
from inplace_lsp.worker.script.own_code import Place

if TYPE_CHECKING:
    from inplace_lsp.worker.script.watch import Watch

_STORAGE = 1


def tape(watch: Watch, failed: Kept, error: str) -> Tape:
    """What happened to the memory that `failed` keeps, up to the backward that runs now."""
    kept = watch.living.on(failed.address)
    teller = _Teller(kept, failed)
    backward = _span(watch.here())
    events = [*teller.events(), Backward(backward, 1, False), Check(backward, failed.key, 1, failed.alias._version)]
    return Tape("<module>", tuple(events), error)


class _Teller:
    """Knows the tensors by small numbers and by the names that writes have found."""

    def __init__(self, kept: list[Kept], failed: Kept) -> None:
        self._kept = kept
        self._numbers: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._counters: list[torch.Tensor] = [failed.alias]
        self._notes = {note.time: note for one in kept for note in one.notes}
        for note in self._notes.values():
            if isinstance(note, Written) and note.name:
                self._names.setdefault(note.tensor, note.name)

    def events(self) -> Iterator[Event]:
        """The events in order of time."""
        first = self._kept[0].made
        if first is not None and first.time < self._kept[0].key:
            yield self._create(first)
        timed = sorted([*((one.key, one) for one in self._kept), *self._notes.items()], key=lambda pair: pair[0])
        for _, one in timed:
            if isinstance(one, Kept):
                yield self._save(one)
            elif isinstance(one, Written):
                yield self._write(one)
            else:
                yield self._view(one)

    def _create(self, made: Made) -> Create:
        return Create(_span(made.place), self._made(made), op_name(made.op))

    def _view(self, made: Made) -> View:
        base = self._state(made.view_of or made.tensor, made.version, leaf=False, requires_grad=made.requires_grad)
        return View(_span(made.place), self._made(made), base, op_name(made.op))

    def _made(self, made: Made) -> TensorState:
        return self._state(
            made.tensor, made.version, leaf=made.leaf, requires_grad=made.requires_grad, base=made.view_of
        )

    def _save(self, kept: Kept) -> Save:
        state = self._state(
            kept.identity,
            kept.version,
            leaf=kept.leaf,
            requires_grad=kept.requires_grad,
            counter=self._counter(kept.alias),
        )
        op = op_name(kept.op) if kept.op is not None else op_of(kept.node)
        return Save(_span(kept.place), state, op, kept.role, kept.key, kept.key)

    def _write(self, written: Written) -> Write:
        counter = self._counter(written.alias)
        state = self._state(written.tensor, written.before, leaf=False, requires_grad=True, counter=counter)
        return Write(
            span=_span(written.place),
            tensor=state,
            op=written.op,
            version_after=written.after,
            grad_mode=written.grad_mode,
            needs_grad=ALWAYS if written.needs_grad else NEVER,
            actor=Actor.STEP if written.step else Actor.CODE,
            call=_span(written.call) if written.call else None,
            refused=False,
        )

    def _state(
        self, tensor: int, version: int, *, leaf: bool, requires_grad: bool, base: int | None = None, counter: int = 1
    ) -> TensorState:
        return TensorState(
            id=self._number(tensor),
            name=self._names.get(tensor, ""),
            storage=_STORAGE,
            counter=counter,
            version=version,
            requires_grad=ALWAYS if requires_grad else NEVER,
            leaf=leaf,
            base=None if base is None else self._number(base),
            view=ViewKind.NONE if base is None else ViewKind.PLAIN,
        )

    def _number(self, tensor: int) -> int:
        return self._numbers.setdefault(tensor, len(self._numbers) + 1)

    def _counter(self, alias: torch.Tensor) -> int:
        for number, known in enumerate(self._counters, start=1):
            if share_counter(known, alias):
                return number
        self._counters.append(alias)
        return len(self._counters)


def _span(place: Place) -> Span:
    return statement(*place)
