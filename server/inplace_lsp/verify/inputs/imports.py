"""Classes of the project's other files that a file imports by name: configurations, layers, models."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inplace_lsp.verify.inputs.model import Files
from inplace_lsp.verify.inputs.program import Program, last_name, read, top_level

LIMIT = 16
"""So many files are read at most."""


def imported_classes(program: Program, module: str | None, workspace: Files) -> dict[str, ast.ClassDef]:
    """The classes by the names that the file knows them by, and what they inherit from by theirs."""
    found: dict[str, ast.ClassDef] = {}
    for node in list(_imports(program))[:LIMIT]:
        file = workspace.module(_absolute(node, program.filename, module))
        other = read(file.text, file.path) if file is not None else None
        if other is None:
            continue
        for alias in node.names:
            owner = other.classes.get(alias.name)
            if owner is not None:
                found.update({one.name: one for one in _bases(other, owner)} | {alias.asname or alias.name: owner})
    return {name: _called(name, owner) for name, owner in found.items()}


def _imports(program: Program) -> Iterator[ast.ImportFrom]:
    for node in top_level(program.tree.body):
        if isinstance(node, ast.ImportFrom) and any(alias.name[:1].isupper() for alias in node.names):
            yield node


def _absolute(node: ast.ImportFrom, filename: str, module: str | None) -> str:
    """The name of the module that is imported from; "" where nothing tells."""
    if not node.level:
        return node.module or ""
    package = (module or "").split(".")
    up = node.level - filename.endswith("__init__.py")
    if module is None or up > len(package):
        return ""
    return ".".join([*package[: len(package) - up], *([node.module] if node.module else [])])


def _bases(program: Program, owner: ast.ClassDef, depth: int = 4) -> Iterator[ast.ClassDef]:
    for base in owner.bases if depth else ():
        found = program.classes.get(last_name(base) or "")
        if found is not None and found is not owner:
            yield found
            yield from _bases(program, found, depth - 1)


def _called(name: str, owner: ast.ClassDef) -> ast.ClassDef:
    """The class under the name that it has here."""
    if name == owner.name:
        return owner
    fields = {field: getattr(owner, field) for field in owner._fields}
    return ast.copy_location(ast.ClassDef(**{**fields, "name": name}), owner)
