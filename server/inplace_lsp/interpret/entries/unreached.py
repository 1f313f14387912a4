"""Find the statements of an entry that may write or run backward and that no run has reached, for want of budget."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast, get_args

from inplace_lsp.interpret.entries.skipped_code import is_write_syntax
from inplace_lsp.interpret.state.spans import make_span
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class Code:
    """The statements that belong to an entry, those of a module by unit. Functions and classes that a module defines
    are entries of their own; those that a function defines belong to it. `own`: how a method calls its object.
    `requests_only`: of a constructor, only what asks layers to write in place counts.
    `rates`: options of a constructor that are 0 by default. Dropout at 0 writes nothing, so its request counts as not
    reached."""

    file: str
    parts: tuple[tuple[int, tuple[ir.Statement, ...]], ...]
    """Each part of the code with the row of its unit."""
    of_module: bool = False
    own: str = ""
    requests_only: bool = False
    rates: frozenset[str] = frozenset()

    @classmethod
    def of_units(cls, file: str, units: Sequence[Unit]) -> Code:
        """Return the code of the module as a program."""
        return cls(file, tuple((unit.row, unit.statements) for unit in units), of_module=True)

    def find_unreached_statements(self, executed: Container[int]) -> tuple[Span, ...]:
        """Return the statements that may write or run backward and are not `executed` (ids)."""
        found = {
            make_span(self.file, row, statement.place)
            for row, body in self.parts
            for statement in _find_writing_statements(body, self.of_module, self.requests_only)
            if id(statement) not in executed or (self.rates and _has_request_at(statement, self.rates))
        }
        return tuple(sorted(found))

    def list_unreached_statements(self, executed: Container[int]) -> list[ir.Statement]:
        """Return the innermost statements, whatever they do, that are not `executed` (ids)."""
        return [
            statement
            for _, body in self.parts
            for statement in _find_innermost_statements(body)
            if id(statement) not in executed
        ]

    def has_unreached_call(self, executed: Container[int]) -> bool:
        """Return whether a statement that calls a method of the own object is not `executed`."""
        statements = (statement for _, body in self.parts for statement in _find_own_calls(body, self.own))
        return any(id(statement) not in executed for statement in statements)


_STATEMENTS = frozenset(get_args(ir.Statement))


@lru_cache(maxsize=4096)
def _find_writing_statements(
    body: tuple[ir.Statement, ...], of_module: bool, requests_only: bool
) -> tuple[ir.Statement, ...]:
    """Return the innermost statements with the syntax of a write or a walk, found once for all runs of an entry."""
    return _find_statements(body, _is_request if requests_only else is_write_syntax, of_module=of_module)


@lru_cache(maxsize=4096)
def _find_innermost_statements(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """Return the statements of a body that hold no others, those of functions that it defines included."""
    return tuple(
        cast("ir.Statement", node)
        for node in ir.walk_nodes(body)
        if type(node) in _STATEMENTS
        and not any(type(child) in _STATEMENTS for child in ir.walk_nodes(ir.list_children(node)))
    )


def _is_request(node: object) -> bool:
    """Return whether a node asks a layer to write in place."""
    return isinstance(node, ir.Argument) and is_write_syntax(node)


@lru_cache(maxsize=4096)
def _has_request_at(statement: ir.Statement, rates: frozenset[str]) -> bool:
    """Return whether a statement asks a layer to write in place that is given one of these rates:
    `nn.Dropout(rate, inplace=True)`."""
    calls = (node for node in ir.walk_nodes((statement,)) if isinstance(node, ir.Call))
    return any(
        any(map(_is_request, call.arguments))
        and any(isinstance(given.value, ir.Name) and given.value.id in rates for given in call.arguments)
        for call in calls
    )


@lru_cache(maxsize=4096)
def _find_own_calls(body: tuple[ir.Statement, ...], own: str) -> tuple[ir.Statement, ...]:
    """Return the innermost statements that call a method of the object named `own`."""

    def is_own_call(node: object) -> bool:
        function = node.function if isinstance(node, ir.Call) else None
        is_method = isinstance(function, ir.Attribute) and isinstance(function.value, ir.Name)
        return is_method and function.value.id == own  # type: ignore[union-attr]

    return _find_statements(body, is_own_call, of_module=False)


def _find_statements(
    body: tuple[ir.Statement, ...], is_wanted: Callable[[object], bool], *, of_module: bool
) -> tuple[ir.Statement, ...]:
    """Return the innermost statements that hold something wanted."""
    found: list[ir.Statement] = []
    stack: list[tuple[object, ir.Statement | None]] = [(body, None)]
    while stack:
        item, around = stack.pop()
        if isinstance(item, tuple):
            stack.extend((child, around) for child in item)
            continue
        if of_module and isinstance(item, (ir.FunctionDef, ir.ClassDef)):
            continue
        statement = cast("ir.Statement", item) if type(item) in _STATEMENTS else around
        if statement is not None and is_wanted(item):
            found.append(statement)
        stack.extend((child, statement) for child in ir.list_children(item))
    return tuple(dict.fromkeys(found))
