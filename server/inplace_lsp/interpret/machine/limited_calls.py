"""Calls of code that rests on what is not here, files above all: one that takes long or fails gives no result."""

from __future__ import annotations

from collections.abc import Callable, Container

from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.state.values import Value


def call_within(machine: Machine, steps: int, call: Callable[[], Value], answers: Container[str] = ()) -> Value | None:
    """Return what `call` returns; None if it takes more than `steps`, or raises what is none of `answers`, exceptions
    by which code answers its caller."""
    recorder = machine.recorder
    modes_before, left = (recorder.grad_mode, recorder.inference_mode), machine.steps
    machine.steps = allowed = min(left, steps)
    try:
        return call()
    except OutOfBudgetError:
        if machine.steps >= 0 or allowed == left:  # the calls are nested too deeply, or the run itself takes too long
            raise
    except Raised as raised:
        if raised.kind in answers:
            raise
    finally:
        machine.steps += left - allowed
    recorder.grad_mode, recorder.inference_mode = modes_before
    return None
