"""Classes of the project's other files that a file imports by name: configurations, layers, models."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inplace_lsp.verify.inputs.model import Files
from inplace_lsp.verify.inputs.program import Program, last_name, read_program, top_level

LIMIT = 16
"""Maximum number of files that are read."""


def find_imported_classes(program: Program, module: str | None, workspace: Files) -> dict[str, ast.ClassDef]:
    """Return the classes by the names that the file knows them by, and what they inherit from by theirs."""
    found: dict[str, ast.ClassDef] = {}
    for node in list(_class_imports(program))[:LIMIT]:
        file = workspace.module(absolute_name(node, program.filename, module))
        other = read_program(file.text, file.path) if file is not None else None
        if other is None:
            continue
        for alias in node.names:
            owner = other.classes.get(alias.name)
            if owner is not None:
                found.update(
                    {base.name: base for base in _bases_of(other, owner)} | {alias.asname or alias.name: owner}
                )
    return {name: _rename_class(name, owner) for name, owner in found.items()}


def _class_imports(program: Program) -> Iterator[ast.ImportFrom]:
    for node in top_level(program.tree.body):
        if isinstance(node, ast.ImportFrom) and any(alias.name[:1].isupper() for alias in node.names):
            yield node


def absolute_name(node: ast.ImportFrom, filename: str, module: str | None) -> str:
    """Return the name of the module that is imported from; "" where nothing tells."""
    if not node.level:
        return node.module or ""
    package = (module or "").split(".")
    up = node.level - filename.endswith("__init__.py")
    if module is None or up > len(package):
        return ""
    return ".".join([*package[: len(package) - up], *([node.module] if node.module else [])])


def _bases_of(program: Program, owner: ast.ClassDef, depth: int = 4) -> Iterator[ast.ClassDef]:
    for base in owner.bases if depth else ():
        found = program.classes.get(last_name(base) or "")
        if found is not None and found is not owner:
            yield found
            yield from _bases_of(program, found, depth - 1)


def _rename_class(name: str, owner: ast.ClassDef) -> ast.ClassDef:
    """Return the class under the name that it has here."""
    if name == owner.name:
        return owner
    fields = {field: getattr(owner, field) for field in owner._fields}
    return ast.copy_location(ast.ClassDef(**{**fields, "name": name}), owner)


@dataclass(frozen=True, slots=True)
class ImportedNames:
    """Where a file's names come from: `members`, by name, are imported from a module; `modules` may be one."""

    members: Mapping[str, str]
    modules: Mapping[str, str]


def read_imported_names(tree: ast.AST, filename: str, module: str | None) -> ImportedNames:
    """Return the names that a file imports, each from where it is imported first."""
    members: dict[str, str] = {}
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            origin = absolute_name(node, filename, module)
            for alias in node.names:
                bound = alias.asname or alias.name
                members.setdefault(bound, origin)
                modules.setdefault(bound, f"{origin}.{alias.name}" if origin else alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                modules.setdefault(alias.asname or alias.name, alias.name)
    return ImportedNames(members, modules)
