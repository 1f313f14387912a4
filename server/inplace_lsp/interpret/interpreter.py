"""Assemble the interpreter: implement the abstract methods of `Machine` with the parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.python import attributes, calls, expressions, functions, registrations, statements
from inplace_lsp.interpret.python.module_scope import ModuleNames
from inplace_lsp.interpret.state.signatures import OpenArguments, OpenKeywords
from inplace_lsp.interpret.state.values import Finder, Frame, Imported, Suspended, Value
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit


class Interpreter(Machine):
    """A machine that can run."""

    def evaluate(self, node: ir.Expr, frame: Frame) -> Value:  # noqa: D102
        self.steps -= 1  # a step, counted in place: nothing is executed more often
        if self.steps < 0:
            raise OutOfBudgetError
        if type(node) is ir.Name and frame.module is not None and not frame.scoped:
            value = frame.names.get(node.id)
            if value is not None and type(value) is not Imported:
                return value  # most expressions are names of local variables
        return expressions.EVALUATE[type(node)](self, node, frame)

    def execute(self, body: Sequence[ir.Statement], frame: Frame) -> None:  # noqa: D102
        statements.execute_body(self, body, frame)

    def call(  # noqa: D102
        self, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value], text: str = ""
    ) -> Value:
        named = OpenKeywords(keywords) if type(keywords) is OpenKeywords else dict(keywords)
        given = arguments if type(arguments) is OpenArguments else list(arguments)
        return calls.call_value(self, function, given, named, text)

    def resume_generator(self, call: Suspended, on_yield: Callable[[Value], None]) -> None:  # noqa: D102
        functions.call_user(self, call.function, call.arguments, call.keywords, on_yield=on_yield)

    def get_attribute(self, value: Value, name: str, text: str = "") -> Value:  # noqa: D102
        return attributes.read_attribute(self, value, name, text)

    def get_uncalled_attribute(self, value: Value, name: str, text: str = "") -> Value:  # noqa: D102
        return attributes.read_uncalled_attribute(self, value, name, text)

    def set_attribute(self, value: Value, name: str, item: Value, *, augmented: bool = False) -> None:  # noqa: D102
        attributes.assign_attribute(self, value, name, item, augmented=augmented)

    def make_finder(self, frame: Frame, units: Sequence[Unit]) -> Finder:  # noqa: D102
        return ModuleNames(self, frame, units)

    def execute_registrations(self, key: str) -> None:  # noqa: D102
        registrations.execute_registrations(self, key)
