"""Generators: their body runs when a loop asks for the next element, in turns with the body of the loop."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Paused
from inplace_lsp.interpret.state.values import Items, Suspended, Value


class ClosedError(Exception):
    """The loop over a generator was left: the generator ends at its `yield`."""


def settled(machine: Machine, generator: Suspended) -> Items:
    """All that the generator yields, run to its end at once."""
    if generator.walked is None:
        generator.walked = Items("generator", [])
        machine.resume(generator, generator.walked.items.append)
    return generator.walked


def walk(machine: Machine, generator: Suspended, body: Callable[[Value], bool]) -> bool:
    """Run the generator with `body` at each of its yields, until it returns False; whether it came to its end."""
    generator.walked = Items("generator", [])
    outside = _Place(machine)
    left: list[Exception] = []

    def at_yield(value: Value) -> None:
        inside = _Place(machine)
        outside.go(modes=bool(generator.function.modes))
        try:
            goes_on = body(value)
        except Exception as signal:  # it leaves the loop, and is none of the generator's business
            left.append(signal)
            goes_on = False
        finally:
            inside.go(modes=bool(generator.function.modes))
        if not goes_on:
            raise ClosedError

    try:
        machine.resume(generator, at_yield)
    except ClosedError:
        outside.go(modes=bool(generator.function.modes))
        if left:
            raise left[0] from None
        return False
    return True


def enter(machine: Machine, generator: Suspended) -> Value:
    """Run a `@contextmanager` function up to its `yield`, where it waits for `leave`; what it yields."""

    def pause(value: Value) -> None:
        raise Paused(value)

    try:
        machine.resume(generator, pause)
    except Paused as paused:
        generator.go_on = paused.go_on
        return paused.value
    return machine.unknown("yield")


def leave(machine: Machine, generator: Suspended) -> None:
    """Run the rest of a `@contextmanager` function, behind its `yield`."""
    go_on, generator.go_on = generator.go_on, None
    if go_on is not None:
        go_on()


class _Place:
    """Where execution stands: what a generator and the loop over it have each for itself."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        recorder = machine.recorder
        self._stack, self._choices = machine.stack, machine.choices
        self._recorded = recorder.site, recorder.call, recorder.through
        self._modes = recorder.grad_mode, recorder.inference_mode

    def go(self, *, modes: bool) -> None:
        """Stand there again; the grad mode is shared, unless it is that of a decorator (`modes`)."""
        machine, recorder = self._machine, self._machine.recorder
        machine.stack, machine.choices = self._stack, self._choices
        recorder.site, recorder.call, recorder.through = self._recorded
        if modes:
            recorder.grad_mode, recorder.inference_mode = self._modes
