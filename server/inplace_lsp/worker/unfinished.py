"""Objects whose constructor cannot be run: made without it, as far as its statements run one by one, and with invented
values for the attributes that are still missing.

A run with such an object says so: `NOTES` tells which statements were left out, and what was invented.
"""

from __future__ import annotations

import ast
import copy
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.standins import parse_file

NOTES: list[str] = []
"""Notes about the objects that this run built only in part."""
_SHOWN = 3
"""How many of the failed statements a note names."""
_MAKER, _REPORT, _PROBLEM = "__inplace_lsp_maker__", "__inplace_lsp_report__", "__inplace_lsp_problem__"
_CLASS = "__class__"
"""The variable that `super()` looks up."""

Report = Callable[[int, Exception], object]
"""Called with the row of a statement that failed, and its error."""


def build_partly(owner: type, /, *given: object, **named: object) -> object:
    """Return an object of a class, its constructor run without the statements that fail."""
    made = _make_bare(owner)
    try:
        _initializer_of(made)(*given, **named)
    except Exception as error:
        return _run_statements(owner, error, given, named)
    return made


@dataclass(frozen=True, slots=True)
class Prepared:
    """An object with calls of its methods that are still to be made: they are recorded as part of the run."""

    made: object
    calls: Mapping[str, Mapping[str, object]]

    def make_ready(self) -> object:
        """Return the object after these calls."""
        for name, given in self.calls.items():
            method: Callable[..., object] = getattr(self.made, name)
            method(**given)
        return self.made


def prepare(made: object, /, **calls: Mapping[str, object]) -> Prepared:
    """Return the object with the calls of its methods that make it ready, each with what it is given."""
    return Prepared(made, calls)


def add_missing(made: object, /, **attributes: object) -> object:
    """Return the object with these values for those of the attributes that it lacks."""
    if isinstance(made, Prepared):
        made = made.make_ready()
    missing = [name for name in attributes if not hasattr(made, name)]
    invented = [name for name in missing if _set_attribute(made, name, attributes[name])]
    if invented:
        listed = ", ".join(f"`self.{name}`" for name in invented)
        verb = "is" if len(invented) == 1 else "are"
        NOTES.append(f"{listed} {verb} invented: the constructor of {type(made).__name__} did not get so far")
    return made


def _initializer_of(owner: object) -> types.FunctionType:
    """Return `__init__` of a class or object, whatever it is."""
    found: types.FunctionType = getattr(owner, "__init__")  # noqa: B009
    return found


def _make_bare(owner: type) -> object:
    """Return an object without the work of its constructor."""
    make: Callable[..., object] = owner.__new__
    made = make(owner)
    if isinstance(made, torch.nn.Module):
        torch.nn.Module.__init__(made)
    return made


def _set_attribute(made: object, name: str, value: object) -> bool:
    try:
        setattr(made, name, value)
    except Exception:  # a property, or slots: the run will say what is missing
        return False
    return True


def _run_statements(owner: type, error: Exception, given: tuple[object, ...], named: Mapping[str, object]) -> object:
    """Return an object made by the statements of its constructor, each run even if one before it failed."""
    failures: dict[int, str] = {}
    made = _make_bare(owner)
    try:
        constructor = _make_tolerant(owner, lambda row, problem: failures.setdefault(row, describe_error(problem)))
        constructor(made, *given, **named)
    except Exception:  # no source, or other arguments than it takes
        failures.setdefault(0, describe_error(error))
    listed = [f"line {row}: {words}" if row else words for row, words in failures.items()]
    more = f"; and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    NOTES.append(
        f"statements of the constructor of {owner.__name__} that fail were left out: {'; '.join(listed[:_SHOWN])}{more}"
    )
    return made


def _make_tolerant(owner: type, report: Report) -> Callable[..., object]:
    """Return the constructor with a `try` round each of its statements. Raise LookupError if its source is missing."""
    original = _initializer_of(owner)
    code: types.CodeType = original.__code__
    definition = _find_definition(code)
    definition.decorator_list, definition.returns, definition.body = [], None, _guard_statements(definition.body)
    _forget_annotations(definition.args)
    closure = dict(zip(code.co_freevars, original.__closure__ or (), strict=True))
    values = {_CLASS: owner, **{name: cell.cell_contents for name, cell in closure.items()}}
    names = {**original.__globals__, _REPORT: report}
    maker = ast.parse(f"def {_MAKER}({', '.join(values)}):\n    return __init__").body[0]
    assert isinstance(maker, ast.FunctionDef)
    maker.body.insert(0, definition)
    module = ast.fix_missing_locations(ast.Module([maker], []))
    exec(compile(module, code.co_filename, "exec", dont_inherit=True), names)
    made: Callable[..., object] = names[_MAKER](**values)
    made.__defaults__, made.__kwdefaults__ = original.__defaults__, original.__kwdefaults__
    return made


def _find_definition(code: types.CodeType) -> ast.FunctionDef:
    """Return a copy of the syntax of a function. Raises LookupError."""
    tree = parse_file(code.co_filename)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and (node.name, _first_row(node)) == (code.co_name, code.co_firstlineno):
            return copy.deepcopy(node)
    raise LookupError(code.co_name)


def _first_row(definition: ast.FunctionDef) -> int:
    return min([definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)])


def _forget_annotations(given: ast.arguments) -> None:
    """Leave the values of annotations and defaults, which are known already, to the original function."""
    stars = [argument for argument in (given.vararg, given.kwarg) if argument is not None]
    for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]:
        argument.annotation = None
    given.defaults = [ast.Constant(None) for _ in given.defaults]
    given.kw_defaults = [default and ast.Constant(None) for default in given.kw_defaults]


def _guard_statements(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements, and those in their blocks, with a `try` round each that reports what it raises."""
    return [_guard_statement(statement) for statement in body]


def _guard_statement(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, (ast.If, ast.With, ast.For)):
        statement.body = _guard_statements(statement.body)
    if isinstance(statement, (ast.If, ast.For)):
        statement.orelse = _guard_statements(statement.orelse)
    report = ast.parse(f"{_REPORT}({statement.lineno}, {_PROBLEM})").body
    handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), _PROBLEM, report)
    return ast.copy_location(ast.Try([statement], [handler], [], []), statement)
