"""What a function needs of a file whose top level does not run through: the rest of it, statement by statement.

A statement that fails is left out; what it would have bound is a stand-in that says why, should the run need it.
"""

from __future__ import annotations
import __future__

import ast
import types
from collections.abc import Iterable, Iterator

from inplace_lsp.worker.standins import StandIn, StandIns
from inplace_lsp.worker.words import describe

_FEATURES = [getattr(__future__, name) for name in __future__.all_feature_names]
_FLAGS = sum(one.compiler_flag for one in _FEATURES)


def run_rest(
    tree: ast.Module, code: types.CodeType, module: types.ModuleType, error: BaseException, wanted: set[str]
) -> None:
    """Run what `wanted` names need of the statements from the one on that raised `error`, in `module`."""
    row = _row_of(error, code)
    left = [one for one in tree.body if (one.end_lineno or one.lineno) >= row]
    needed = set(_needed(tree.body, wanted))
    stand_ins = StandIns()
    for at, statement in enumerate(left):
        if not at and row:
            _stand_in(statement, module, error, stand_ins)
        elif statement in needed:
            _run(statement, code, module, stand_ins)


def _run(statement: ast.stmt, code: types.CodeType, module: types.ModuleType, stand_ins: StandIns) -> None:
    part = ast.Module([statement], [])
    try:
        exec(compile(part, code.co_filename, "exec", code.co_flags & _FLAGS, dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        _stand_in(statement, module, error, stand_ins)


def _stand_in(statement: ast.stmt, module: types.ModuleType, error: BaseException, stand_ins: StandIns) -> None:
    why = f"line {statement.lineno} of the file could not be run ({describe(error)})"
    for name in _bound_by(statement):
        vars(module).setdefault(name, StandIn(name, why, stand_ins))


def _row_of(error: BaseException, code: types.CodeType) -> int:
    """The row of the top level that was run when `error` came; 0 if nothing was."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == code.co_filename and trace.tb_frame.f_code.co_name == "<module>":
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


def _needed(body: list[ast.stmt], wanted: set[str]) -> Iterator[ast.stmt]:
    """The statements that bind `wanted` names, and what these use; with those that change what they have bound."""
    names = set(wanted)
    left = list(body)
    while True:
        found = [one for one in left if names & {*_bound_by(one), *_changed_by(one)}]
        if not found:
            return
        yield from found
        left = [one for one in left if one not in found]
        names |= {inner.id for one in found for inner in ast.walk(one) if isinstance(inner, ast.Name)}


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the top level binds there."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Import() | ast.ImportFrom():
            yield from ((one.asname or one.name).partition(".")[0] for one in statement.names)
        case ast.For() | ast.While() | ast.If() | ast.Try() | ast.With():
            yield from _bound_inside(statement)
        case _:
            yield from _stored_in([statement])


def _bound_inside(statement: ast.stmt) -> Iterator[str]:
    inner = [one for one in ast.iter_child_nodes(statement) if isinstance(one, (ast.stmt, ast.ExceptHandler))]
    for one in inner:
        yield from _bound_by(one) if isinstance(one, ast.stmt) else _stored_in([one])
    yield from _stored_in(one for one in ast.iter_child_nodes(statement) if not isinstance(one, ast.stmt))


def _stored_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load))


def _changed_by(statement: ast.stmt) -> Iterator[str]:
    """The object whose method a statement calls for what it does: `parser.add_argument(...)`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name
