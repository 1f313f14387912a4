"""Which attributes nobody may set: fields of named tuples and frozen dataclasses, properties without a setter."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.site import Tree, whole_tree


def sets_what_is_fixed(text: str, file: str, candidate: Candidate) -> bool:
    """Whether a repair gives another tensor to an attribute that a class in sight does not let anybody set."""
    written = [one.written for one in candidate.uses if isinstance(one.written, cst.Attribute)]
    tree = whole_tree(text, file) if written else None
    fixed = set(_fixed(tree)) if tree is not None else set()
    return any(isinstance(one, cst.Attribute) and one.attr.value in fixed for one in written)


def _fixed(tree: Tree) -> Iterator[str]:
    for node in tree.every():
        if isinstance(node, cst.ClassDef):
            yield from _fields(node) if _is_frozen(tree, node) else _read_only(tree, node)
        elif isinstance(node, cst.Call) and tree.code(node.func).rsplit(".", 1)[-1] == "namedtuple":
            yield from _named(node)


def _is_frozen(tree: Tree, node: cst.ClassDef) -> bool:
    bases = {tree.code(one.value).rsplit(".", 1)[-1] for one in node.bases}
    calls = [one.decorator for one in node.decorators if isinstance(one.decorator, cst.Call)]
    arguments = [one for call in calls for one in call.args if one.keyword is not None]
    frozen = any(one.keyword and one.keyword.value == "frozen" and tree.code(one.value) == "True" for one in arguments)
    return frozen or "NamedTuple" in bases


def _fields(node: cst.ClassDef) -> Iterator[str]:
    lines = (one for one in node.body.body if isinstance(one, cst.SimpleStatementLine))
    small = (one for line in lines for one in line.body if isinstance(one, cst.AnnAssign))
    yield from (one.target.value for one in small if isinstance(one.target, cst.Name))


def _read_only(tree: Tree, node: cst.ClassDef) -> Iterator[str]:
    methods = [one for one in node.body.body if isinstance(one, cst.FunctionDef)]
    decorators = {(one.name.value, tree.code(mark.decorator)) for one in methods for mark in one.decorators}
    for name, decorator in decorators:
        if (
            decorator.rsplit(".", 1)[-1] in {"property", "cached_property"}
            and (name, f"{name}.setter") not in decorators
        ):
            yield name


def _named(call: cst.Call) -> Iterator[str]:
    fields = call.args[1].value if len(call.args) > 1 else None
    if isinstance(fields, cst.SimpleString):
        yield from str(fields.evaluated_value).replace(",", " ").split()
    elif isinstance(fields, (cst.List, cst.Tuple)):
        items = (one.value for one in fields.elements)
        yield from (str(one.evaluated_value) for one in items if isinstance(one, cst.SimpleString))
