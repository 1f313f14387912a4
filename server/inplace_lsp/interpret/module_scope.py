"""The names of a module whose functions are judged on their own: what binds a name is executed when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from inplace_lsp.interpret.autograd import TorchError
from inplace_lsp.interpret.frames import Frame
from inplace_lsp.interpret.machine import Machine
from inplace_lsp.interpret.statements import Break, Continue, Raised, Return
from inplace_lsp.interpret.values import Value
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit


class Globals:
    """Answers for the names of a module that is not executed from top to bottom."""

    def __init__(self, machine: Machine, frame: Frame, units: Sequence[Unit]) -> None:
        self._machine = machine
        self._frame = frame
        self._binding = bindings(tuple(units))
        self.running: set[int] = set()
        for unit in self._binding.get("*", ()):
            self._execute(unit)

    def __call__(self, name: str) -> Value | None:
        """The value of `name`, None if no unit binds it."""
        for unit in reversed(self._binding.get(name, ())):
            if id(unit) not in self.running:
                self._execute(unit)
                return self._frame.names.get(name)
        return None

    def _execute(self, unit: Unit) -> None:
        machine = self._machine
        self.running.add(id(unit))
        recorder = machine.recorder
        saved = (recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack)
        recorder.grad_mode, recorder.inference_mode, machine.stack = True, False, []
        scope = Frame(
            self._frame.file,
            unit.row,
            names=self._frame.names,
            starred=self._frame.starred,
            asked=self._frame.asked,
            foreign=self._frame.foreign,
        )
        scope.find_global = self._frame.find_global or self
        try:
            machine.execute(unit.statements, scope)
        except (Return, Break, Continue, Raised, TorchError):
            pass
        finally:
            recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack = saved


@lru_cache(maxsize=512)
def bindings(units: tuple[Unit, ...]) -> dict[str, list[Unit]]:
    """The units that bind each module-level name, in order; "*" are star imports."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        for name in _bound(unit.statements):
            found.setdefault(name, []).append(unit)
    return found


def _bound(body: Sequence[ir.Statement]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ir.FunctionDef | ir.ClassDef):
            yield node.name
        elif isinstance(node, ir.Import):
            yield from (alias or name.partition(".")[0] for name, alias in node.names)
        elif isinstance(node, ir.ImportFrom):
            yield from (alias or name for name, alias in node.names)
        elif isinstance(node, ir.Assign):
            for target in node.targets:
                yield from _targets(target)
        elif isinstance(node, ir.Annotate):
            yield from _targets(node.target)
        elif isinstance(node, ir.If | ir.Try | ir.With | ir.For | ir.While):
            if isinstance(node, ir.For):
                yield from _targets(node.target)
            yield from _bound(node.body)
            yield from _bound(getattr(node, "orelse", ()))


def _targets(target: ir.Expr) -> Iterator[str]:
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, ir.Sequence):
        for item in target.items:
            yield from _targets(item)
