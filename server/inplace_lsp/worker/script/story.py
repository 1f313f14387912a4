"""Build the tape of an in-place error from the notes about its memory."""

from __future__ import annotations

import os
from collections.abc import Iterator

import torch

from inplace_lsp.tape.handles import name_handles
from inplace_lsp.tape.model import (
    ALWAYS,
    NEVER,
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
from inplace_lsp.worker.places import statement_at
from inplace_lsp.worker.saves import op_of_node
from inplace_lsp.worker.script.notes import Creation, LiveSave, WriteNote
from inplace_lsp.worker.script.own_code import Place
from inplace_lsp.worker.script.watch_protocol import Watched

_STORAGE = 1
_LINES = 3
"""Maximum number of lines that ran TorchScript that are named."""


def build_stale_tape(watch: Watched, failed: LiveSave, error: str) -> Tape:
    """Build the tape of the memory that `failed` keeps, up to the backward that runs now."""
    kept = watch.living.find_saves(failed.address)
    builder = _TapeBuilder(kept, failed)
    backward = _span_at(watch.current_place())
    events = [
        *builder.build_events(),
        Backward(backward, 1, False),
        Check(backward, failed.key, 1, failed.alias._version),
    ]
    return Tape("<module>", name_handles(events), error, notes=_describe_scripted(watch, failed))


def _describe_scripted(watch: Watched, failed: LiveSave) -> tuple[str, ...]:
    """Describe the TorchScript that ran since the save, if the writes that were seen are not all there were."""
    seen = sum(note.after - note.before for note in failed.notes if isinstance(note, WriteNote))
    lines = [place for place, time in watch.scripted.items() if time > failed.key]
    if not lines or seen >= failed.alias._version - failed.version:
        return ()
    places = ", ".join(f"{os.path.relpath(name)}:{row}" for name, row in lines[:_LINES])
    more = f" and {len(lines) - _LINES} more lines" if len(lines) > _LINES else ""
    return (f"TorchScript ran meanwhile ({places}{more}): the recorder does not see what its code writes",)


class _TapeBuilder:
    """Knows the tensors by small numbers and by the names that writes have found."""

    def __init__(self, kept: list[LiveSave], failed: LiveSave) -> None:
        self._kept = kept
        self._numbers: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._counters: list[torch.Tensor] = [failed.alias]
        self._notes = {note.time: note for kept in kept for note in kept.notes}
        for note in self._notes.values():
            if isinstance(note, WriteNote):
                self._note_names(note)

    def _note_names(self, note: WriteNote) -> None:
        """Keep the names that a write has found, the written tensor's own first."""
        if note.name:
            self._names.setdefault(note.tensor, note.name)
        for tensor, name in note.aliases.items():
            self._names.setdefault(tensor, name)

    def build_events(self) -> Iterator[Event]:
        """Yield the events in order of time."""
        first = self._kept[0].made
        if first is not None and first.time < self._kept[0].key:
            yield self._create_event(first)
        timed = sorted([*((kept.key, kept) for kept in self._kept), *self._notes.items()], key=lambda pair: pair[0])
        for _, note in timed:
            if isinstance(note, LiveSave):
                yield self._save_event(note)
            elif isinstance(note, WriteNote):
                yield self._write_event(note)
            else:
                yield self._view_event(note)

    def _create_event(self, made: Creation) -> Create:
        return Create(_span_at(made.place), self._created_state(made), op_name(made.op))

    def _view_event(self, made: Creation) -> View:
        base = self._tensor_state(
            made.view_of or made.tensor, made.version, leaf=False, requires_grad=made.requires_grad
        )
        return View(_span_at(made.place), self._created_state(made), base, op_name(made.op))

    def _created_state(self, made: Creation) -> TensorState:
        return self._tensor_state(
            made.tensor, made.version, leaf=made.leaf, requires_grad=made.requires_grad, base=made.view_of
        )

    def _save_event(self, kept: LiveSave) -> Save:
        state = self._tensor_state(
            kept.identity,
            kept.version,
            leaf=kept.leaf,
            requires_grad=kept.requires_grad,
            counter=self._counter_number(kept.alias),
        )
        op = op_name(kept.op) if kept.op is not None else op_of_node(kept.node)
        return Save(_span_at(kept.place), state, op, kept.role, kept.key, kept.key)

    def _write_event(self, written: WriteNote) -> Write:
        counter = self._counter_number(written.alias)
        state = self._tensor_state(written.tensor, written.before, leaf=False, requires_grad=True, counter=counter)
        return Write(
            span=_span_at(written.place),
            tensor=state,
            op=written.writer or written.op,
            version_after=written.after,
            grad_mode=written.grad_mode,
            needs_grad=ALWAYS if written.needs_grad else NEVER,
            actor=written.actor,
            call=_span_at(written.call) if written.call else None,
            refused=False,
            spelling=written.spelling,
        )

    def _tensor_state(
        self, tensor: int, version: int, *, leaf: bool, requires_grad: bool, base: int | None = None, counter: int = 1
    ) -> TensorState:
        return TensorState(
            id=self._tensor_number(tensor),
            name=self._names.get(tensor, ""),
            storage=_STORAGE,
            counter=counter,
            version=version,
            requires_grad=ALWAYS if requires_grad else NEVER,
            leaf=leaf,
            base=None if base is None else self._tensor_number(base),
            view=ViewKind.NONE if base is None else ViewKind.PLAIN,
        )

    def _tensor_number(self, tensor: int) -> int:
        return self._numbers.setdefault(tensor, len(self._numbers) + 1)

    def _counter_number(self, alias: torch.Tensor) -> int:
        for number, known in enumerate(self._counters, start=1):
            if share_counter(known, alias):
                return number
        self._counters.append(alias)
        return len(self._counters)


def _span_at(place: Place) -> Span:
    return statement_at(*place)
