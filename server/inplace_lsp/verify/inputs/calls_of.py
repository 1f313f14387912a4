"""Where the project calls a function or makes an object of a class: in its own file first, then in others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from inplace_lsp.verify.inputs.imports import ImportedNames, read_imported_names
from inplace_lsp.verify.inputs.model import Files
from inplace_lsp.verify.inputs.program import (
    Definition,
    Function,
    Program,
    decorator_names,
    dotted_name,
    last_name,
    read_program,
    top_level,
)

LIMIT = 4
"""Maximum number of files that are searched for a call."""


@dataclass(frozen=True, slots=True)
class Callee:
    """A function or class whose calls are looked for. `node`: the function whose body does not count, since what it
    gives itself says nothing of what it is given; `owner`: the class of a method. `by_object`: a call of an object of
    the class is one of the method, as that of a module is one of its `forward`."""

    name: str
    node: Function | None
    owner: ast.ClassDef | None = None
    by_object: bool = False

    @classmethod
    def of_class(cls, program: Program, owner: ast.ClassDef) -> Callee:
        """Return what a call of the class calls."""
        return cls(owner.name, program.find_method(owner, "__init__"))

    @classmethod
    def of_function(cls, program: Program, definition: Definition) -> Callee:
        """Return what a call of the function calls, or of the class if it is a constructor."""
        if definition.owner is not None and definition.node.name == "__init__":
            return cls.of_class(program, definition.owner)
        return cls(definition.node.name, definition.node, definition.owner)

    @classmethod
    def of_module(cls, program: Program, definition: Definition) -> Callee:
        """Return what a call of the function calls, and if it is a module's `forward`, what a call of that does."""
        found = cls.of_function(program, definition)
        return replace(found, by_object=found.owner is not None and found.name == "forward")

    @property
    def mention(self) -> str:
        """Return what a file says that calls it, or makes an object to call."""
        return f"{self.owner.name if self.by_object and self.owner is not None else self.name}("


@dataclass(frozen=True, slots=True)
class Site:
    """A call in the `scope` that it stands in, which is the body of a function (`within`) or of a file. `own`: this is
    the file that is run, so its names need no import. `depth`: how many calls lie between it and the first one."""

    call: ast.Call
    scope: tuple[ast.stmt, ...]
    program: Program
    module: str | None
    within: Definition | None = None
    own: bool = False
    depth: int = 0


def find_sites(program: Program, callee: Callee, files: Files, inner: Site | None = None) -> Iterator[Site]:
    """Yield the calls of what a file defines. `inner`: the call in it from which it is asked."""
    depth = 0 if inner is None else inner.depth + 1
    module, own = (None, True) if inner is None else (inner.module, inner.own)
    yield from _Calls(program, module, callee, files, program).sites(depth, own=own)
    for _, file in zip(range(LIMIT), files.files_mentioning(callee.mention), strict=False):
        other = read_program(file.text, file.path) if file.path != program.filename else None
        if other is not None:
            yield from _Calls(other, file.module, callee, files, program).sites(depth)


@dataclass(frozen=True, slots=True)
class _Calls:
    """The calls in one file of what `home` defines."""

    program: Program
    module: str | None
    callee: Callee
    files: Files
    home: Program

    def sites(self, depth: int, *, own: bool = False) -> Iterator[Site]:
        """Yield them, those in functions first."""
        inside = set(ast.walk(self.callee.node)) if self.callee.node is not None else set()
        imported = read_imported_names(self.program.tree, self.program.filename, self.module)
        owner = self.callee.owner
        objects = frozenset(self._objects_of(owner)) if owner is not None else frozenset()
        for within, body in self._scopes():
            for node in (inner for statement in body for inner in ast.walk(statement)):
                if not isinstance(node, ast.Call) or node in inside:
                    continue
                if self._is_call(node.func, imported, objects, within):
                    yield Site(node, tuple(top_level(body)), self.program, self.module, within, own, depth)

    def _is_call(
        self, called: ast.expr, imported: ImportedNames, objects: frozenset[str], within: Definition | None
    ) -> bool:
        """Return whether what is called is the callee."""
        owner = self.callee.owner
        if last_name(called) != self.callee.name:
            return self.callee.by_object and ast.unparse(called) in objects
        if owner is None:
            return self._is_function(called, imported)
        return self._is_method(called, owner, objects, within)

    def _scopes(self) -> Iterator[tuple[Definition | None, list[ast.stmt]]]:
        for definition in self.program.definitions.values():
            yield definition, definition.node.body
        tree = self.program.tree
        yield None, [statement for statement in tree.body if not isinstance(statement, (Function, ast.ClassDef))]

    def _is_function(self, called: ast.expr, imported: ImportedNames) -> bool:
        """Return whether a name, or an attribute of a module of the project, is the callee."""
        match called:
            case ast.Name(id=name) if name in imported.members:
                return self._is_projects(imported.members[name])
            case ast.Name(id=name):
                return self.program is self.home or ("*" in imported.members and name not in self.program.names)
            case ast.Attribute(value=holder):
                return self._is_projects(imported.modules.get(dotted_name(holder), ""))
        return False

    def _is_projects(self, module: str) -> bool:
        """Return whether a module is one of the project, and may so hand on the callee."""
        return module.rpartition(".")[2] == Path(self.home.filename).stem or self.files.module(module) is not None

    def _is_method(
        self, called: ast.expr, owner: ast.ClassDef, objects: frozenset[str], within: Definition | None
    ) -> bool:
        """Return whether an attribute of `self`, or of what the file calls an object of the class, is the callee."""
        if not isinstance(called, ast.Attribute):
            return False
        if ast.unparse(called.value) == "self" and within is not None and within.owner is not None:
            return self.program.find_method(within.owner, self.callee.name) is self.callee.node
        return self._is_object(called.value, owner) or ast.unparse(called.value) in objects

    def _objects_of(self, owner: ast.ClassDef) -> Iterator[str]:
        """Yield what the file calls objects of a class, and the class, where that is enough to call the method."""
        if self.callee.node is not None and decorator_names(self.callee.node) & {"staticmethod", "classmethod"}:
            yield owner.name
        for node in ast.walk(self.program.tree):
            match node:
                case ast.Assign(targets=[target], value=value) if self._is_object(value, owner):
                    yield ast.unparse(target)
                case ast.arg(arg=name, annotation=ast.Name() | ast.Attribute() as kind) if (
                    last_name(kind) == owner.name
                ):
                    yield name

    def _is_object(self, node: ast.expr, owner: ast.ClassDef) -> bool:
        """Return whether an expression makes an object of a class, `Net().to(device)` included."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call() as held)) if self._is_object(held, owner):
                return True
            case ast.Call(func=called):
                return last_name(called) == owner.name
        return False
