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

from inplace_lsp.verify.inputs.model import Driver, Files, Inputs
from inplace_lsp.verify.inputs.program import (
    Definition,
    Function,
    Parameter,
    Program,
    decorators,
    last_name,
    parameters,
    read,
    top_level,
)

LIMIT = 4
"""Calls that are offered at most."""


def call_sites(program: Program, target: Definition, module: str | None, workspace: Files) -> Iterator[Inputs]:
    """Programs that call the target, the nearest first."""
    for driver in islice(_drivers(program, target, module, workspace), LIMIT):
        yield Inputs("call-site", driver=driver)


def _drivers(program: Program, target: Definition, module: str | None, workspace: Files) -> Iterator[Driver]:
    here = _Reach(program, frozenset(_aims(program, target)))
    if here.by_the_program():
        yield Driver(program.text, program.filename, None, None)
    yield from _tests(program, here, module)
    yield from _doctests(program, here, module)
    name = _public(target)
    for file in workspace.mentioning(name):
        other = read(file.text, file.path) if file.path != program.filename else None
        if other is None or not _imports(other, program, module):
            continue
        reach = _Reach(other, here.aims)
        yield from _tests(other, reach, file.module)
        if reach.by_the_program():
            yield Driver(other.text, other.filename, None, None)


def _public(target: Definition) -> str:
    """The name by which other files can know it."""
    return target.qualname.split(".")[0]


def _aims(program: Program, target: Definition) -> Iterator[str]:
    """Names whose use may lead to the target: its own, its class, whatever in the file uses these."""
    found = {target.owner.name if target.owner is not None else target.node.name}
    if target.outer is not None:
        found = {_public(target)}
    changed = True
    while changed:
        before = len(found)
        for node in top_level(program.tree.body):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node.name not in found and _names(node) & found:
                found.add(node.name)
        changed = len(found) != before
    yield from found


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class _Reach:
    """What in a program leads to the names aimed at."""

    program: Program
    aims: frozenset[str]

    def by_the_program(self) -> bool:
        """Whether its module-level code, main guard included, calls something on the way to the target."""
        return any(_calls(node) and _names(node) & self.aims for node in self._loose())

    def _loose(self) -> Iterator[ast.stmt]:
        for node in self.program.tree.body:
            if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)):
                yield node

    def functions(self) -> Iterator[tuple[Function, ast.ClassDef | None]]:
        """The test functions and methods that lead there."""
        for node in self.program.tree.body:
            if isinstance(node, _FUNCTIONS) and node.name.startswith("test") and self._leads(node):
                yield node, None
            elif isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or _is_case(node)):
                shared = [one for one in node.body if isinstance(one, _FUNCTIONS) and not one.name.startswith("test")]
                helped = any(self._leads(one) for one in shared)
                tests = (one for one in node.body if isinstance(one, _FUNCTIONS) and one.name.startswith("test"))
                yield from ((one, node) for one in tests if helped or self._leads(one))

    def _leads(self, node: ast.AST) -> bool:
        local = {
            one.name
            for one in self.program.tree.body
            if isinstance(one, _FUNCTIONS) and not one.name.startswith("test") and _names(one) & self.aims
        }
        return bool(_names(node) & (self.aims | local))


def _names(node: ast.AST) -> set[str]:
    found = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return found | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}


def _calls(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Call) for one in ast.walk(node))


def _is_case(node: ast.ClassDef) -> bool:
    return any(last_name(base) == "TestCase" for base in node.bases)


def _imports(other: Program, program: Program, module: str | None) -> bool:
    """Whether `other` imports the file, as far as the last part of its name tells."""
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


def _tests(program: Program, reach: _Reach, module: str | None) -> Iterator[Driver]:
    for node, owner in reach.functions():
        arguments = _arguments(program, node, owner)
        if arguments is None:
            continue
        text = _plain_fixtures(program)
        yield Driver(text, program.filename, module, _call(node, owner, arguments))


def _call(node: Function, owner: ast.ClassDef | None, arguments: str) -> str:
    if owner is None:
        return f"{node.name}({arguments})"
    if _is_case(owner):
        return f"{owner.name}({node.name!r}).debug()"
    setup = [f"it.{one.name}()" for one in owner.body if isinstance(one, _FUNCTIONS) and one.name == "setup_method"]
    return f"(lambda it: ({', '.join([*setup, f'it.{node.name}({arguments})'])}))({owner.name}())"


def _arguments(program: Program, node: Function, owner: ast.ClassDef | None) -> str | None:
    """The arguments of a test: first values of its parametrisation, and fixtures that are plain functions of the file.

    None where one comes from elsewhere.
    """
    values = _parametrised(node)
    written = []
    for one in parameters(node)[1 if owner is not None else 0 :]:
        if one.default is not None:
            continue
        value = values.get(one.name) or _fixture(program, one)
        if value is None:
            return None
        written.append(f"{one.name}={value}")
    return ", ".join(written)


def _parametrised(node: Function) -> dict[str, str]:
    found: dict[str, str] = {}
    for mark in node.decorator_list:
        match mark:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=[first, *_]), *_]):
                found.update(zip(_parameter_names(names), _row(first, len(_parameter_names(names))), strict=False))
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.Tuple(elts=[first, *_]), *_]):
                found.update(zip(_parameter_names(names), _row(first, len(_parameter_names(names))), strict=False))
    return found


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return []


def _row(first: ast.expr, count: int) -> list[str]:
    if isinstance(first, ast.Call) and last_name(first.func) == "param":
        return [ast.unparse(one) for one in first.args]
    if count > 1 and isinstance(first, (ast.Tuple, ast.List)):
        return [ast.unparse(one) for one in first.elts]
    return [ast.unparse(first)]


def _fixture(program: Program, wanted: Parameter) -> str | None:
    for node in program.tree.body:
        if isinstance(node, _FUNCTIONS) and node.name == wanted.name and "fixture" in decorators(node):
            inner = [_fixture(program, one) for one in parameters(node)]
            if any(one is None for one in inner):
                return None
            call = f"{node.name}({', '.join(str(one) for one in inner)})"
            gives = any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(node))
            return f"next({call})" if gives else call
    return None


def _plain_fixtures(program: Program) -> str:
    """The text with fixtures as the plain functions they are written as; every line stays where it is."""
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


def _doctests(program: Program, reach: _Reach, module: str | None) -> Iterator[Driver]:
    """Examples in docstrings, as a call that runs them in a copy of the module's namespace."""
    for node in ast.walk(program.tree):
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Module)):
            continue
        code = _examples(ast.get_docstring(node) or "")
        if code and _names(ast.parse(code)) & reach.aims:
            call = f"exec({code!r}, {{**globals()}})"
            yield Driver(program.text, program.filename, module, call)


def _examples(text: str) -> str:
    if ">>>" not in text:
        return ""
    try:
        code = "".join(one.source for one in doctest.DocTestParser().get_examples(text))
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return code
