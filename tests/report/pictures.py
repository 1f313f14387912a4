"""Tapes for tests of the picture: of real runs, and long ones built by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from inplace_lsp.tape.model import ALWAYS, Backward, Check, Create, Event, Save, Tape, TensorState, Write
from report.story import STORY, span

TAPE = Tape("train", STORY, "RuntimeError: one of the variables ... is at version 1; expected version 0 instead.")


def training(steps: int, *, bad_step: int | Literal["every"] | None = None) -> Tape:
    """A loop that makes, saves and checks a tensor a step; at `bad_step` it is written in between."""
    events: list[Event] = []
    for step in range(steps):
        y = TensorState(10 + step, "y", 10 + step, 10 + step, 0, ALWAYS, leaf=False)
        events += [Create(span(4, 4, 11), y, "exp"), Save(span(4, 4, 11), y, "exp", "result", step, step)]
        is_bad = bad_step in ("every", step)
        if is_bad:
            events.append(Write(span(7, 0, 9), y, "add_", 1, grad_mode=True, needs_grad=ALWAYS))
        found = int(is_bad)
        events += [Backward(span(8, 0, 16), step, False), Check(span(8, 0, 16), step, step, found)]
    return Tape("train", tuple(events))


def weights(steps: int) -> Tape:
    """A loop that saves, checks and writes the same tensor every step, as a training loop does its weights."""
    w = TensorState(1, "w", 1, 1, 0, ALWAYS)
    events: list[Event] = [Create(span(3, 0, 1), w, "randn")]
    for step in range(steps):
        now = replace(w, version=step)
        events += [
            Save(span(4, 4, 11), now, "mul", "self", step, step),
            Backward(span(5, 0, 16), step, False),
            Check(span(5, 0, 16), step, step, step),
            Write(span(6, 0, 9), now, "add_", step + 1, grad_mode=False),
        ]
    return Tape("train", tuple(events))
