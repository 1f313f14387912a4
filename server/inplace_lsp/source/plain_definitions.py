"""Find statements that only define names: executing them matters only to code that uses these names."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.source import ir

_MARKS = frozenset({"property", "staticmethod", "classmethod"})
_PARTS_OF_PROPERTIES = frozenset({"setter", "getter", "deleter"})


def calls_no_code(statements: Iterable[ir.Statement]) -> bool:
    """Return whether executing `statements` calls no code and changes no value. A class with bases is taken to call
    none: whether a base has an `__init_subclass__` is not seen here."""
    return all(map(_is_only_definition, statements))


def _is_only_definition(statement: ir.Statement) -> bool:
    if isinstance(statement, ir.FunctionDef):
        return all(map(_only_marks, statement.decorators)) and all(_is_plain(p.default) for p in statement.parameters)
    if isinstance(statement, ir.ClassDef):
        bases = (argument.value for argument in statement.arguments)
        return not statement.decorators and all(map(_is_name, bases)) and _body_calls_no_code(statement.body)
    if isinstance(statement, ir.Assign):
        return _is_plain(statement.value) and all(isinstance(target, ir.Name) for target in statement.targets)
    if isinstance(statement, ir.Annotate) and not isinstance(statement.target, ir.Name):
        return False
    if isinstance(statement, (ir.Annotate, ir.ExprStatement)):
        return _is_plain(statement.value)
    return isinstance(statement, ir.Jump)


def _body_calls_no_code(body: Iterable[ir.Statement]) -> bool:
    """Return whether executing the body of a class calls no code: an object that is bound there may have a
    `__set_name__`, which the class calls."""
    assigned = (statement.value for statement in body if isinstance(statement, (ir.Assign, ir.Annotate)))
    binds_names = any(isinstance(part, ir.Name) for value in assigned for part in ir.walk_nodes(value))
    return not binds_names and calls_no_code(body)


def _only_marks(decorator: ir.Expr) -> bool:
    """Return whether a decorator calls no code of the program."""
    if isinstance(decorator, ir.Attribute):
        return decorator.name in _PARTS_OF_PROPERTIES and isinstance(decorator.value, ir.Name)
    return isinstance(decorator, ir.Name) and decorator.id in _MARKS


def _is_name(node: ir.Expr) -> bool:
    return isinstance(node, ir.Name) or (isinstance(node, ir.Attribute) and _is_name(node.value))


def _is_plain(node: ir.Expr | None) -> bool:
    """Return whether evaluating `node` has no effect: a constant, a name, or a display of these. An attribute may be a
    view or a property."""
    if isinstance(node, ir.Sequence):
        return all(map(_is_plain, node.items))
    return node is None or isinstance(node, ir.Const | ir.Name)
