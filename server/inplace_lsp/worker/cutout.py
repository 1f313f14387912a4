"""What a function needs of a file beyond what an import of it runs: the rest of a top level that does not run through,
and names that are bound under `if __name__ == "__main__":` alone; statement by statement.

A statement that fails is left out; what it would have bound is a stand-in that says why, should the run need it.
"""

from __future__ import annotations
import __future__

import ast
import dis
import types
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.standins import StandIn, StandIns

_FEATURES = [getattr(__future__, name) for name in __future__.all_feature_names]
_FLAGS = sum(feature.compiler_flag for feature in _FEATURES)


def run_rest(
    tree: ast.Module, code: types.CodeType, module: types.ModuleType, error: BaseException, wanted: set[str]
) -> None:
    """Run in `module` what `wanted` names need of the statements from the failing one on."""
    row = _failing_row(error, code)
    left = [statement for statement in tree.body if (statement.end_lineno or statement.lineno) >= row]
    needed = set(_needed_statements(tree.body, wanted))
    stand_ins = StandIns()
    for at, statement in enumerate(left):
        if not at and row:
            _bind_stand_ins(statement, module, error, stand_ins)
        elif statement in needed:
            _run_statement(statement, code, module, stand_ins)


def run_main_guard(tree: ast.Module, code: types.CodeType, module: types.ModuleType, wanted: set[str]) -> None:
    """Run what the definitions of `wanted` names need of the statements under `if __name__ == "__main__":`."""
    guarded = [inner for statement in tree.body if _is_main_guard(statement) for inner in statement.body]
    plain = [statement for statement in tree.body if not _is_main_guard(statement)]
    used = {name for statement in _needed_statements(plain, wanted) for name in _names_read_by(statement)}
    bound = {name for statement in guarded for name in _names_bound_by(statement)}
    missing = (used & bound) - set(vars(module))
    needed = set(_needed_statements(guarded, missing)) if missing else set()
    stand_ins = StandIns()
    for statement in guarded:
        if statement in needed:
            _run_statement(statement, code, module, stand_ins)


def _is_main_guard(statement: ast.stmt) -> TypeGuard[ast.If]:
    """Return whether the statement is `if __name__ == "__main__":`."""
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant()])):
            return True
    return False


def _run_statement(statement: ast.stmt, code: types.CodeType, module: types.ModuleType, stand_ins: StandIns) -> None:
    part = ast.Module([statement], [])
    try:
        exec(compile(part, code.co_filename, "exec", code.co_flags & _FLAGS, dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        _bind_stand_ins(statement, module, error, stand_ins)


def _bind_stand_ins(statement: ast.stmt, module: types.ModuleType, error: BaseException, stand_ins: StandIns) -> None:
    why = f"line {statement.lineno} of the file could not be run ({describe_error(error)})"
    for name in _names_bound_by(statement):
        vars(module).setdefault(name, StandIn(name, why, stand_ins))


def _failing_row(error: BaseException, code: types.CodeType) -> int:
    """Return the row of the top level that was running when `error` was raised, 0 if none was."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == code.co_filename and trace.tb_frame.f_code.co_name == "<module>":
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


def _needed_statements(body: list[ast.stmt], wanted: set[str]) -> Iterator[ast.stmt]:
    """Yield the statements that bind `wanted` names and the names these use, with the statements that change what they
    bind."""
    names = set(wanted)
    left = list(body)
    while True:
        found = [
            statement for statement in left if names & {*_names_bound_by(statement), *_names_changed_by(statement)}
        ]
        if not found:
            return
        yield from found
        left = [statement for statement in left if statement not in found]
        names |= {name for statement in found for name in _names_read_by(statement)}


def _names_read_by(statement: ast.stmt) -> set[str]:
    """Return the names of the top level that a statement reads, also in the functions in it: those of their own
    variables are none."""
    left = [compile(ast.Module([statement], []), "<statement>", "exec", dont_inherit=True)]
    found: set[str] = set()
    while left:
        code = left.pop()
        found |= {str(step.argval) for step in dis.get_instructions(code) if step.opname in _READING}
        left += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return found


_READING = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS")


def _names_bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of the top level binds."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Import() | ast.ImportFrom():
            yield from ((name.asname or name.name).partition(".")[0] for name in statement.names)
        case ast.For() | ast.While() | ast.If() | ast.Try() | ast.With():
            yield from _names_bound_inside(statement)
        case _:
            yield from _names_stored_in([statement])


def _names_bound_inside(statement: ast.stmt) -> Iterator[str]:
    inner = [child for child in ast.iter_child_nodes(statement) if isinstance(child, (ast.stmt, ast.ExceptHandler))]
    for part in inner:
        yield from _names_bound_by(part) if isinstance(part, ast.stmt) else _names_stored_in([part])
    yield from _names_stored_in(child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt))


def _names_stored_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        yield from (
            inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
        )


def _names_changed_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the name whose method a statement calls for its effect: `parser.add_argument(...)`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name
