"""Real calls: programs in sight that reach the target by themselves, so that its arguments are the real ones.

First the file itself as a program (module-level code, the main guard), its tests and its doctests; then tests,
examples and scripts of the project that import it. Which of them reach the target is decided by names, generously: a
program that does not is noticed when it runs.
"""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from inplace_lsp.messages.inputs import Driver, Inputs
from inplace_lsp.verify.inputs.model import Files
from inplace_lsp.verify.inputs.program import (
    Definition,
    Function,
    Parameter,
    Program,
    decorator_names,
    last_name,
    names_in,
    parameters_of,
    read_program,
    top_level,
)

LIMIT = 4
"""Calls that are offered at most."""


def find_call_sites(program: Program, target: Definition, module: str | None, workspace: Files) -> Iterator[Inputs]:
    """Programs that call the target, the nearest first."""
    for driver in islice(_find_drivers(program, target, module, workspace), LIMIT):
        yield Inputs("call-site", driver=driver)


def _find_drivers(program: Program, target: Definition, module: str | None, workspace: Files) -> Iterator[Driver]:
    here = _Reach(program, frozenset(_names_leading_to(program, target)))
    if here.is_reached_by_program():
        yield Driver(program.text, program.filename, None, None)
    yield from _drivers_from_tests(program, here, module)
    yield from _drivers_from_doctests(program, here, module)
    name = _public_name(target)
    for file in workspace.files_mentioning(name):
        other = read_program(file.text, file.path) if file.path != program.filename else None
        if other is None or not _imports_file(other, program, module):
            continue
        reach = _Reach(other, here.aims)
        yield from _drivers_from_tests(other, reach, file.module)
        if reach.is_reached_by_program():
            yield Driver(other.text, other.filename, None, None)


def _public_name(target: Definition) -> str:
    """Return the name by which other files can know it."""
    return target.qualname.split(".")[0]


def _names_leading_to(program: Program, target: Definition) -> Iterator[str]:
    """Yield names whose use may lead to the target: its own, its class, and whatever in the file uses these."""
    found = {target.owner.name if target.owner is not None else target.node.name}
    if target.outer is not None:
        found = {_public_name(target)}
    changed = True
    while changed:
        before = len(found)
        for node in top_level(program.tree.body):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node.name not in found and names_in(node) & found:
                found.add(node.name)
        changed = len(found) != before
    yield from found


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class _Reach:
    """What in a program leads to the names aimed at."""

    program: Program
    aims: frozenset[str]

    def is_reached_by_program(self) -> bool:
        """Return whether its module-level code, main guard included, calls something on the way to the target."""
        return any(_has_call(node) and names_in(node) & self.aims for node in self._module_level_code())

    def _module_level_code(self) -> Iterator[ast.stmt]:
        for node in self.program.tree.body:
            if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)):
                yield node

    def test_functions(self) -> Iterator[tuple[Function, ast.ClassDef | None]]:
        """Yield the test functions and methods that lead there."""
        for node in self.program.tree.body:
            if isinstance(node, _FUNCTIONS) and _is_test(node) and self._leads_to_target(node):
                yield node, None
            elif isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or _is_test_case(node)):
                yield from ((test, node) for test in self._methods_that_lead(node))

    def _methods_that_lead(self, owner: ast.ClassDef) -> Iterator[Function]:
        """Yield the tests of a class that lead there, all of them if what they share does."""
        methods = [statement for statement in owner.body if isinstance(statement, _FUNCTIONS)]
        helped = any(self._leads_to_target(method) for method in methods if not _is_test(method))
        yield from (method for method in methods if _is_test(method) and (helped or self._leads_to_target(method)))

    def _leads_to_target(self, node: ast.AST) -> bool:
        local = {
            statement.name
            for statement in self.program.tree.body
            if isinstance(statement, _FUNCTIONS)
            and not statement.name.startswith("test")
            and names_in(statement) & self.aims
        }
        return bool(names_in(node) & (self.aims | local))


def _is_test(node: Function) -> bool:
    return node.name.startswith("test")


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(child, ast.Call) for child in ast.walk(node))


def _is_test_case(node: ast.ClassDef) -> bool:
    return any(last_name(base) == "TestCase" for base in node.bases)


def _imports_file(other: Program, program: Program, module: str | None) -> bool:
    """Return whether `other` imports the file, judged by the last part of its name."""
    stem = program.filename.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    words = {stem, *(module.split(".") if module else ())}
    for node in ast.walk(other.tree):
        if isinstance(node, ast.ImportFrom) and words & {
            *(node.module or "").split("."),
            *(a.name for a in node.names),
        }:
            return True
        if isinstance(node, ast.Import) and any(words & set(alias.name.split(".")) for alias in node.names):
            return True
    return False


# Tests


def _drivers_from_tests(program: Program, reach: _Reach, module: str | None) -> Iterator[Driver]:
    for node, owner in reach.test_functions():
        arguments = _arguments_of_test(program, node, owner)
        if arguments is None:
            continue
        text = _plain_fixtures(program)
        yield Driver(text, program.filename, module, _call_of_test(node, owner, arguments))


def _call_of_test(node: Function, owner: ast.ClassDef | None, arguments: str) -> str:
    if owner is None:
        return f"{node.name}({arguments})"
    if _is_test_case(owner):
        return f"{owner.name}({node.name!r}).debug()"
    setup = [
        f"it.{statement.name}()"
        for statement in owner.body
        if isinstance(statement, _FUNCTIONS) and statement.name == "setup_method"
    ]
    return f"(lambda it: ({', '.join([*setup, f'it.{node.name}({arguments})'])}))({owner.name}())"


def _arguments_of_test(program: Program, node: Function, owner: ast.ClassDef | None) -> str | None:
    """Return the arguments of a test: first values of its parametrisation, and fixtures that are plain functions of the
    file.

    None where one comes from elsewhere.
    """
    values = _parametrized_values(node)
    written = []
    for parameter in parameters_of(node)[1 if owner is not None else 0 :]:
        if parameter.default is not None:
            continue
        value = values.get(parameter.name) or _call_fixture(program, parameter)
        if value is None:
            return None
        written.append(f"{parameter.name}={value}")
    return ", ".join(written)


def _parametrized_values(node: Function) -> dict[str, str]:
    found: dict[str, str] = {}
    for mark in node.decorator_list:
        match mark:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=[first, *_]), *_]):
                found.update(
                    zip(_parameter_names(names), _row_values(first, len(_parameter_names(names))), strict=False)
                )
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.Tuple(elts=[first, *_]), *_]):
                found.update(
                    zip(_parameter_names(names), _row_values(first, len(_parameter_names(names))), strict=False)
                )
    return found


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [elt.value for elt in node.elts if isinstance(elt, ast.Constant) and isinstance(elt.value, str)]
    return []


def _row_values(first: ast.expr, count: int) -> list[str]:
    if isinstance(first, ast.Call) and last_name(first.func) == "param":
        return [ast.unparse(argument) for argument in first.args]
    if count > 1 and isinstance(first, (ast.Tuple, ast.List)):
        return [ast.unparse(elt) for elt in first.elts]
    return [ast.unparse(first)]


def _call_fixture(program: Program, wanted: Parameter) -> str | None:
    """Return the call of a fixture that is a plain function of the file, and makes what it needs by such ones."""
    for node in program.tree.body:
        if isinstance(node, _FUNCTIONS) and node.name == wanted.name and "fixture" in decorator_names(node):
            inner = [_call_fixture(program, parameter) for parameter in parameters_of(node)]
            if None in inner:
                return None
            call = f"{node.name}({', '.join(map(str, inner))})"
            return f"next({call})" if _gives_by_yield(node) else call
    return None


def _gives_by_yield(node: Function) -> bool:
    return any(isinstance(child, (ast.Yield, ast.YieldFrom)) for child in ast.walk(node))


def _plain_fixtures(program: Program) -> str:
    """Return the text with fixtures as the plain functions they are written as; every line stays where it is."""
    lines = program.text.split("\n")
    for node in program.tree.body:
        if isinstance(node, _FUNCTIONS):
            for mark in node.decorator_list:
                name = last_name(mark.func if isinstance(mark, ast.Call) else mark)
                if name == "fixture":
                    for row in range(mark.lineno, (mark.end_lineno or mark.lineno) + 1):
                        lines[row - 1] = ""
    return "\n".join(lines)


# Doctests


def _drivers_from_doctests(program: Program, reach: _Reach, module: str | None) -> Iterator[Driver]:
    """Examples in docstrings, as a call that runs them in a copy of the module's namespace."""
    for node in ast.walk(program.tree):
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Module)):
            continue
        code = _example_code(ast.get_docstring(node) or "")
        if code and names_in(ast.parse(code)) & reach.aims:
            call = f"exec({code!r}, {{**globals()}})"
            yield Driver(program.text, program.filename, module, call)


def _example_code(text: str) -> str:
    if ">>>" not in text:
        return ""
    try:
        code = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return code
