"""The mistakes in a model file, found without executing it: each is a finding in that file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from inplace_lsp.hazards.finding import MODEL_FILE, Finding, Severity
from inplace_lsp.interpret.python.library import find_intrinsics
from inplace_lsp.interpret.torch_api.modelling import MODULE
from inplace_lsp.model_files.page import NAME
from inplace_lsp.source.ast_expressions import Places
from inplace_lsp.source.trees import parse_tree
from inplace_lsp.source.units import read
from inplace_lsp.tape.model import Span

VERSIONS = "DESCRIBES"
_TOLD_BY_PYTHON = frozenset(("__exit__", "__aexit__"))
"""Methods that Python calls, with what few of them need."""
IGNORES = "ignores"
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINES = (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Pass)


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong at a node of the syntax tree."""

    node: ast.stmt | ast.expr | ast.arg | ast.alias
    message: str
    severity: Severity = "warning"


def check_model(text: str, filename: str) -> tuple[Finding, ...]:
    """Return what is wrong with the model file of that text, in the order of its lines. Raises nothing."""
    broken = read(text).broken
    if broken:
        return tuple(_unreadable(one.reason, Span(filename, one.row, 0, one.end_row, 0)) for one in broken)
    tree = parse_tree(text)
    if tree is None:  # newer than this Python, or nested too deeply
        return ()
    places = Places(text)
    found = [_finding(one.message, one.severity, Span(filename, *places.of(one.node))) for one in _mistakes(tree)]
    return tuple(sorted(found, key=lambda one: (one.span.row, one.span.column)))


def _unreadable(reason: str, span: Span) -> Finding:
    return _finding(f"This does not parse, so nothing of it is known: {reason}.", "error", span)


def _finding(message: str, severity: Severity, span: Span) -> Finding:
    return Finding(MODEL_FILE, NAME, severity, message, (), span)


def _mistakes(tree: ast.Module) -> Iterator[Mistake]:
    yield from _executed_statements(tree)
    yield from _missing_versions(tree)
    yield from _unknown_imports(tree)
    for function, is_method in _functions(tree.body, in_class=False):
        yield from _wrong_ignores(function)
        yield from _unread_parameters(function, is_method)


def _executed_statements(tree: ast.Module) -> Iterator[Mistake]:
    for node in tree.body:
        is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, _DEFINES) and not is_constant:
            yield Mistake(node, "This statement is never executed: a model file only imports and defines.")


def _missing_versions(tree: ast.Module) -> Iterator[Mistake]:
    first = next((node for node in tree.body if isinstance(node, _DEFINITIONS)), None)
    assigned = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
    if first is not None and not any(isinstance(one, ast.Name) and one.id == VERSIONS for one in assigned):
        message = f'The file does not say which versions it describes: write `{VERSIONS} = "the library 1.2"`.'
        yield Mistake(tree.body[0], message)


def _unknown_imports(tree: ast.Module) -> Iterator[Mistake]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == MODULE and not node.level:
            for name in node.names:
                if name.name != "*" and f"{MODULE}.{name.name}" not in find_intrinsics():
                    yield Mistake(name, f"`{MODULE}` has no `{name.name}`.", "error")


def _functions(body: list[ast.stmt], *, in_class: bool) -> Iterator[tuple[_Function, bool]]:
    """All functions, those inside others too, each with whether its first parameter is the object or the class."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
            yield node, in_class and not is_static
        inside = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
        yield from _functions(inside, in_class=isinstance(node, ast.ClassDef))


def _wrong_ignores(function: _Function) -> Iterator[Mistake]:
    names = {one.arg for one in _parameters(function)}
    for call in _ignores(function):
        if not any(keyword.arg == "because" for keyword in call.keywords):
            yield Mistake(call, '`@ignores` wants the reason: `because="..."`.', "error")
        for one in call.args:
            if not (isinstance(one, ast.Constant) and one.value in names):
                yield Mistake(one, f"`{ast.unparse(one)}` is no parameter of `{function.name}`.", "error")


def _unread_parameters(function: _Function, is_method: bool) -> Iterator[Mistake]:
    given = {one.value for call in _ignores(function) for one in call.args if isinstance(one, ast.Constant)}
    nodes = [inner for statement in function.body for inner in ast.walk(statement)]
    given.update(one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Store))
    for parameter in _parameters(function)[is_method:] if function.name not in _TOLD_BY_PYTHON else ():
        if parameter.arg not in given:
            message = f"`{function.name}` does not read `{parameter.arg}`, and does not say why it does not matter: "
            yield Mistake(parameter, f'{message}`@ignores("{parameter.arg}", because="...")`.')


def _ignores(function: _Function) -> Iterator[ast.Call]:
    for one in function.decorator_list:
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == IGNORES:
            yield one


def _parameters(function: _Function) -> list[ast.arg]:
    given = function.args
    rest = [one for one in (given.vararg, given.kwarg) if one is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]
