"""Find out whether a file can involve tensors: most files of a project cannot, and are not executed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from inplace_lsp.interpret.python.models import find_units
from inplace_lsp.interpret.state.facts import Facts, ModuleQuestion
from inplace_lsp.models import find_models
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

FAR = 3
"""The number of imports that are followed to a file that names torch: a script that drives the project's models."""
MANY = 30
"""The number of the project's files that are searched for it."""


def has_tensors_in_sight(text: str, filename: str, units: Sequence[Unit], facts: Facts) -> bool:
    """Return whether the file names torch, a library with a model, or what only modules and tensors of torch have; or
    imports a file of its project that does."""
    packages = {module.partition(".")[0] for module, _ in facts.list_models()} | _packages_with_models()
    if _speaks_of_tensors(text, packages):
        return True
    asked: set[ModuleQuestion] = set()
    waiting: list[tuple[str, Sequence[Unit]]] = [(filename, units)]
    for _ in range(FAR):
        following: list[tuple[str, Sequence[Unit]]] = []
        for importer, its_units in waiting:
            for question in _find_imports(importer, its_units):
                if question in asked or len(asked) >= MANY:
                    continue
                asked.add(question)
                module = facts.find_module(question)
                if module is None or not module.own:
                    continue
                if _speaks_of_tensors(module.text, packages):
                    return True
                following.append((module.filename, find_units(module)))
        waiting = following
    return False


def _find_imports(importer: str, units: Sequence[Unit]) -> Iterator[ModuleQuestion]:
    """Yield the modules that a file imports, and those that it may import by name from a package."""
    for unit in units:
        for node in ir.walk_nodes(unit.statements):
            if isinstance(node, ir.Import):
                yield from (ModuleQuestion(importer, 0, name) for name, _ in node.names if not _is_standard(name))
            elif isinstance(node, ir.ImportFrom) and (node.level or not _is_standard(node.module)):
                yield ModuleQuestion(importer, node.level, node.module)
                inside = f"{node.module}." if node.module else ""
                yield from (ModuleQuestion(importer, node.level, f"{inside}{name}") for name, _ in node.names)


def _is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


_OF_TORCH = ("torch", ".parameters()", ".backward()", "requires_grad", ".zero_grad(")
"""The library's name, and what a file that is given its objects asks of them."""


def _speaks_of_tensors(text: str, packages: Iterable[str]) -> bool:
    return any(word in text for word in _OF_TORCH) or any(
        f"import {package}" in text or f"from {package}" in text for package in packages
    )


@cache
def _packages_with_models() -> frozenset[str]:
    """Return the libraries besides Python's own that shipped model files describe."""
    return frozenset(module.partition(".")[0] for module in find_models()) - sys.stdlib_module_names
