"""Run generators: their body takes turns with the loop that asks for their elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import NotFollowedError, Paused
from inplace_lsp.interpret.state.values import Items, Suspended, Unknown, Value


class ClosedError(Exception):
    """The generator ends at its `yield`, because its loop was left."""


def run_to_end(machine: Machine, generator: Suspended) -> Items:
    """Run the generator to its end, and return all that it yields; of one that cannot be followed, unknown elements."""
    if generator.walked is None:
        generator.walked = Items("generator", [])
        try:
            machine.resume_generator(generator, generator.walked.items.append)
        except NotFollowedError as refused:
            generator.walked = _make_unknown_elements(machine, refused.result)
    return generator.walked


def _make_unknown_elements(machine: Machine, result: Unknown) -> Items:
    return Items("generator", [], open=True, more=partial(machine.make_element, result))


def walk_generator(machine: Machine, generator: Suspended, body: Callable[[Value], bool]) -> bool:
    """Run the generator with `body` at each `yield` until that returns False. Return whether the generator has ended.

    Raises NotFollowedError; `run_to_end` returns unknown elements then."""
    generator.walked = Items("generator", [])
    outside = _Place(machine)
    left: list[Exception] = []

    def at_yield(value: Value) -> None:
        inside = _Place(machine)
        outside.return_to_place(modes=bool(generator.function.modes))
        try:
            goes_on = body(value)
        except Exception as signal:  # it leaves the loop, without passing through the generator
            left.append(signal)
            goes_on = False
        finally:
            inside.return_to_place(modes=bool(generator.function.modes))
        if not goes_on:
            raise ClosedError

    try:
        machine.resume_generator(generator, at_yield)
    except ClosedError:
        outside.return_to_place(modes=bool(generator.function.modes))
        if left:
            raise left[0] from None
        return False
    except NotFollowedError as refused:
        generator.walked = _make_unknown_elements(machine, refused.result)
        raise
    return True


def enter_context(machine: Machine, generator: Suspended) -> Value:
    """Run a `@contextmanager` function up to its `yield`, where it waits for `leave_context`. Return what it yields."""

    def pause_at_yield(value: Value) -> None:
        raise Paused(value)

    try:
        machine.resume_generator(generator, pause_at_yield)
    except Paused as paused:
        generator.go_on = paused.go_on
        return paused.value
    except NotFollowedError as refused:
        return refused.result
    return machine.make_unknown("yield")


def leave_context(machine: Machine, generator: Suspended) -> None:
    """Run the rest of a `@contextmanager` function, after its `yield`."""
    go_on, generator.go_on = generator.go_on, None
    if go_on is not None:
        go_on()


class _Place:
    """The position of execution: what a generator and its loop do not share."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        recorder = machine.recorder
        self._stack, self._choices = machine.stack, machine.choices
        self._recorded = recorder.site, recorder.route
        self._modes = recorder.grad_mode, recorder.inference_mode

    def return_to_place(self, *, modes: bool) -> None:
        """Continue execution there. The grad mode is shared, unless a decorator sets it (`modes`)."""
        machine, recorder = self._machine, self._machine.recorder
        machine.stack, machine.choices = self._stack, self._choices
        recorder.site, recorder.route = self._recorded
        if modes:
            recorder.grad_mode, recorder.inference_mode = self._modes
