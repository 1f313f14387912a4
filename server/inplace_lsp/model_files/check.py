"""Find the mistakes in a model file without executing it; each becomes a finding in that file."""

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
from inplace_lsp.source.units import read_source
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
    """A mistake at a node of the syntax tree."""

    node: ast.stmt | ast.expr | ast.arg | ast.alias
    message: str
    severity: Severity = "warning"


def check_model(text: str, filename: str) -> tuple[Finding, ...]:
    """Return the mistakes in the model file with this text, in the order of its lines. Raises nothing."""
    broken = read_source(text).broken
    if broken:
        return tuple(_report_unreadable(part.reason, Span(filename, part.row, 0, part.end_row, 0)) for part in broken)
    tree = parse_tree(text)
    if tree is None:  # newer than this Python, or nested too deeply
        return ()
    places = Places(text)
    found = [
        _make_finding(mistake.message, mistake.severity, Span(filename, *places.place_of(mistake.node)))
        for mistake in _find_mistakes(tree)
    ]
    return tuple(sorted(found, key=lambda finding: (finding.span.row, finding.span.column)))


def _report_unreadable(reason: str, span: Span) -> Finding:
    return _make_finding(f"This does not parse, so nothing of it is known: {reason}.", "error", span)


def _make_finding(message: str, severity: Severity, span: Span) -> Finding:
    return Finding(MODEL_FILE, NAME, severity, message, (), span)


def _find_mistakes(tree: ast.Module) -> Iterator[Mistake]:
    yield from _executed_statements(tree)
    yield from _missing_versions(tree)
    yield from _unknown_imports(tree)
    for function, is_method in _find_functions(tree.body, in_class=False):
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
    if first is not None and not any(isinstance(target, ast.Name) and target.id == VERSIONS for target in assigned):
        message = f'The file does not say which versions it describes: write `{VERSIONS} = "the library 1.2"`.'
        yield Mistake(tree.body[0], message)


def _unknown_imports(tree: ast.Module) -> Iterator[Mistake]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == MODULE and not node.level:
            for name in node.names:
                if name.name != "*" and f"{MODULE}.{name.name}" not in find_intrinsics():
                    yield Mistake(name, f"`{MODULE}` has no `{name.name}`.", "error")


def _find_functions(body: list[ast.stmt], *, in_class: bool) -> Iterator[tuple[_Function, bool]]:
    """Yield all functions, nested ones too, each with whether its first parameter is the object or the class."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_static = any(
                isinstance(decorator, ast.Name) and decorator.id == "staticmethod" for decorator in node.decorator_list
            )
            yield node, in_class and not is_static
        inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
        yield from _find_functions(inside, in_class=isinstance(node, ast.ClassDef))


def _wrong_ignores(function: _Function) -> Iterator[Mistake]:
    names = {parameter.arg for parameter in _list_parameters(function)}
    for call in _find_ignores(function):
        if not any(keyword.arg == "because" for keyword in call.keywords):
            yield Mistake(call, '`@ignores` wants the reason: `because="..."`.', "error")
        for argument in call.args:
            if not (isinstance(argument, ast.Constant) and argument.value in names):
                yield Mistake(argument, f"`{ast.unparse(argument)}` is no parameter of `{function.name}`.", "error")


def _unread_parameters(function: _Function, is_method: bool) -> Iterator[Mistake]:
    given = {
        argument.value
        for call in _find_ignores(function)
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }
    nodes = [inner for statement in function.body for inner in ast.walk(statement)]
    given.update(name.id for name in nodes if isinstance(name, ast.Name) and not isinstance(name.ctx, ast.Store))
    for parameter in _list_parameters(function)[is_method:] if function.name not in _TOLD_BY_PYTHON else ():
        if parameter.arg not in given:
            message = f"`{function.name}` does not read `{parameter.arg}`, and does not say why it does not matter: "
            yield Mistake(parameter, f'{message}`@ignores("{parameter.arg}", because="...")`.')


def _find_ignores(function: _Function) -> Iterator[ast.Call]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == IGNORES:
            yield decorator


def _list_parameters(function: _Function) -> list[ast.arg]:
    given = function.args
    rest = [parameter for parameter in (given.vararg, given.kwarg) if parameter is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]
