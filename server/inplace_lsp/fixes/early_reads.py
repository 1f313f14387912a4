"""Find names that a function reads above all the places that bind them: a statement was moved past its use."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inplace_lsp.source.trees import parse_tree
from inplace_lsp.source.units import normalise_text

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""What has a scope of its own, whose body runs later or is not about these names."""


def find_early_reads(text: str) -> frozenset[tuple[str, str]]:
    """Return each such name with that of its function; none of a text that does not parse.

    A read in a loop may see the value of an earlier round: it is compared with the text before a repair.
    """
    module = parse_tree(normalise_text(text))
    if module is None:
        return frozenset()
    scopes = [node for node in ast.walk(module) if isinstance(node, Scope)]
    return frozenset((getattr(scope, "name", ""), name) for scope in scopes for name in _read_early(scope))


def _read_early(scope: Scope) -> Iterator[str]:
    """Yield the names that are read before the first line that binds them."""
    bound = _parameters_of(scope)
    reads: dict[str, tuple[int, int]] = {}
    bindings: dict[str, tuple[int, int]] = {}
    for node in _walk_scope(scope):
        for name, at, is_read in _names_of(node):
            places = reads if is_read else bindings
            places[name] = min(at, places.get(name, at))
    yield from (name for name, at in bindings.items() if name not in bound and reads.get(name, at) < at)


def _names_of(node: ast.AST) -> Iterator[tuple[str, tuple[int, int], bool]]:
    """Yield the names that a node reads or binds, with the place: what is assigned is bound after its value."""
    if isinstance(node, ast.Name):
        yield node.id, (node.lineno, node.col_offset), isinstance(node.ctx, ast.Load)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, (node.lineno, node.col_offset), False
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield (alias.asname or alias.name).split(".")[0], (node.lineno, node.col_offset), False


def _parameters_of(scope: Scope) -> frozenset[str]:
    if isinstance(scope, ast.Module):
        return frozenset()
    every = ast.walk(scope.args)
    return frozenset(parameter.arg for parameter in every if isinstance(parameter, ast.arg))


def _walk_scope(scope: Scope) -> Iterator[ast.AST]:
    """Yield the nodes of a scope; of inner scopes only the first, of comprehensions what they do not bind."""
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _COMPREHENSIONS):
            yield from _reads_of(node)
            continue
        yield node
        if not isinstance(node, _INNER):
            waiting += ast.iter_child_nodes(node)


def _reads_of(comprehension: ast.AST) -> Iterator[ast.Name]:
    names = [node for node in ast.walk(comprehension) if isinstance(node, ast.Name)]
    own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    yield from (name for name in names if name.id not in own)
