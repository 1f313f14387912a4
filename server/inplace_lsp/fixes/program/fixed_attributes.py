"""Find attributes that cannot be assigned: fields of named tuples and frozen dataclasses, read-only properties."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.site import Tree, whole_tree


def sets_fixed_attribute(text: str, file: str, candidate: Candidate) -> bool:
    """Return whether a repair assigns an attribute that a class in sight makes read-only."""
    written = [use.written for use in candidate.uses if isinstance(use.written, cst.Attribute)]
    tree = whole_tree(text, file) if written else None
    fixed = set(_fixed_attributes(tree)) if tree is not None else set()
    return any(isinstance(target, cst.Attribute) and target.attr.value in fixed for target in written)


def _fixed_attributes(tree: Tree) -> Iterator[str]:
    for node in tree.all_nodes():
        if isinstance(node, cst.ClassDef):
            yield from _field_names(node) if _is_frozen(tree, node) else _read_only_properties(tree, node)
        elif isinstance(node, cst.Call) and tree.code_of(node.func).rsplit(".", 1)[-1] == "namedtuple":
            yield from _namedtuple_fields(node)


def _is_frozen(tree: Tree, node: cst.ClassDef) -> bool:
    bases = {tree.code_of(base.value).rsplit(".", 1)[-1] for base in node.bases}
    calls = [decorator.decorator for decorator in node.decorators if isinstance(decorator.decorator, cst.Call)]
    arguments = [argument for call in calls for argument in call.args if argument.keyword is not None]
    frozen = any(
        argument.keyword and argument.keyword.value == "frozen" and tree.code_of(argument.value) == "True"
        for argument in arguments
    )
    return frozen or "NamedTuple" in bases


def _field_names(node: cst.ClassDef) -> Iterator[str]:
    lines = (statement for statement in node.body.body if isinstance(statement, cst.SimpleStatementLine))
    small = (statement for line in lines for statement in line.body if isinstance(statement, cst.AnnAssign))
    yield from (annotation.target.value for annotation in small if isinstance(annotation.target, cst.Name))


def _read_only_properties(tree: Tree, node: cst.ClassDef) -> Iterator[str]:
    methods = [statement for statement in node.body.body if isinstance(statement, cst.FunctionDef)]
    decorators = {(method.name.value, tree.code_of(mark.decorator)) for method in methods for mark in method.decorators}
    for name, decorator in decorators:
        if (
            decorator.rsplit(".", 1)[-1] in {"property", "cached_property"}
            and (name, f"{name}.setter") not in decorators
        ):
            yield name


def _namedtuple_fields(call: cst.Call) -> Iterator[str]:
    fields = call.args[1].value if len(call.args) > 1 else None
    if isinstance(fields, cst.SimpleString):
        yield from str(fields.evaluated_value).replace(",", " ").split()
    elif isinstance(fields, (cst.List, cst.Tuple)):
        items = (element.value for element in fields.elements)
        yield from (str(item.evaluated_value) for item in items if isinstance(item, cst.SimpleString))


def is_made_leaf_later(candidate: Candidate) -> bool:
    """Return whether `requires_grad` of a name that the candidate rebinds is set after its statement, which torch
    allows for leaves alone."""
    return any(
        use.tree.span_of(node).row > use.tree.span_of(use.statement).row
        for use in candidate.uses
        if use.written is not None
        for node in use.tree.nodes_within(use.tree.span_of(use.tree.scope_of(use.statement)))
        if _sets_requires_grad(use.tree, node, use.tree.code_of(use.written))
    )


def _sets_requires_grad(tree: Tree, node: cst.CSTNode, name: str) -> bool:
    if not isinstance(node, cst.Attribute) or tree.code_of(node.value) != name:
        return False
    attribute, parent = node.attr.value, tree.parent_of(node)
    return attribute == "requires_grad_" or (attribute == "requires_grad" and isinstance(parent, cst.AssignTarget))
