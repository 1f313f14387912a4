"""Edits as people make them, found in a file by its syntax: where a string, a table, a `forward` or a helper stands."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class RealEdit:
    """Text typed before the character at a place (0-based), and taken back. `{}` in it is the number of the time, so
    that no server has seen it before."""

    name: str
    row: int
    column: int
    typed: str

    def changes(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the change that types the text and the one that takes it back."""
        here = {"line": self.row, "character": self.column}
        typed = self.typed.format(number)
        rows = typed.split("\n")
        column = len(rows[-1]) if len(rows) > 1 else self.column + len(typed)
        after = {"line": self.row + len(rows) - 1, "character": column}
        return (
            {"range": {"start": here, "end": here}, "text": typed},
            {"range": {"start": here, "end": after}, "text": ""},
        )


def find_real_edits(text: str) -> list[RealEdit]:
    """Return the edits that this file has a place for."""
    module = ast.parse(text)
    found = []
    for name, find in _FINDERS.items():
        place = find(module)
        if place is not None:
            found.append(RealEdit(name, *place))
    return found


Place = tuple[int, int, str]


def _top_line(module: ast.Module) -> Place:
    return 0, 0, "\n"


def _docstring(module: ast.Module) -> Place | None:
    bodies = [node.body[0] for node in _functions(module) if ast.get_docstring(node)]
    long = [node for node in bodies if node.end_lineno is not None and node.end_lineno > node.lineno]
    return (long[0].lineno, 0, "{}") if long else None


def _blank_line(module: ast.Module) -> Place | None:
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    middle = functions[len(functions) // 2] if functions else None
    return (middle.end_lineno, 0, "\n") if middle is not None and middle.end_lineno is not None else None


def _string_in_table(module: ast.Module) -> Place | None:
    for value in _middle_values(module):
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 2:
                return node.lineno - 1, node.col_offset + 2, "{}"
    return None


def _commented_key(module: ast.Module) -> Place | None:
    """Return the first row of an entry of several rows: without it, the table does not parse."""
    rows = [key.lineno - 1 for key in _keys(module)]
    return (rows[len(rows) // 2], 0, "#{}") if rows else None


def _code_in_forward(module: ast.Module) -> Place | None:
    for function in _forwards(module):
        for node in function.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Call) and _in_a_row(node):
                return node.lineno - 1, node.end_col_offset or 0, " * {}"
    return None


def _commented_statement(module: ast.Module) -> Place | None:
    for function in _forwards(module):
        for node in function.body:
            if isinstance(node, ast.AugAssign) and _in_a_row(node):
                return node.lineno - 1, node.col_offset, "# {} "
    return None


def _helper(module: ast.Module) -> Place | None:
    """Return the place of a new first statement in the function that most others call."""
    named = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    calls = Counter(
        call.func.id
        for function in _functions(module)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in named
    )
    methods = {
        call.func.id
        for class_ in module.body
        if isinstance(class_, ast.ClassDef)
        for call in ast.walk(class_)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    }
    for name, _ in calls.most_common():
        first = named[name].body[0]
        if name in methods and first.lineno > named[name].lineno:
            return first.lineno - 1, 0, " " * first.col_offset + "probe = {}\n"
    return None


def _syntax_error(module: ast.Module) -> Place | None:
    for function in _forwards(module):
        last = function.body[-1]
        return last.lineno - 1, last.col_offset, "{} + ("
    return None


_FINDERS: dict[str, Callable[[ast.Module], Place | None]] = {
    "docstring": _docstring,
    "blank line": _blank_line,
    "line at the top": _top_line,
    "string in a table": _string_in_table,
    "table key commented": _commented_key,
    "code in a forward": _code_in_forward,
    "statement commented": _commented_statement,
    "helper": _helper,
    "syntax error": _syntax_error,
}


def _functions(module: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(module) if isinstance(node, Function))


def _forwards(module: ast.Module) -> Iterator[Function]:
    return (node for node in _functions(module) if node.name == "forward")


def _in_a_row(node: ast.stmt) -> bool:
    return node.lineno == node.end_lineno


def _largest_table(module: ast.Module) -> ast.Dict | None:
    tables = [node for statement in module.body for node in ast.walk(statement) if isinstance(node, ast.Dict)]
    return max(tables, key=lambda table: len(table.keys), default=None)


def _keys(module: ast.Module) -> list[ast.expr]:
    """Return the keys whose entries take several rows, each at the start of its row."""
    table = _largest_table(module)
    pairs = zip(table.keys, table.values, strict=True) if table else ()
    return [key for key, value in pairs if key is not None and (value.end_lineno or 0) > key.lineno]


def _middle_values(module: ast.Module) -> list[ast.expr]:
    """Return the values of the largest table from its middle on."""
    table = _largest_table(module)
    values = table.values if table else []
    return values[len(values) // 2 :]
