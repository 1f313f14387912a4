"""Find the variables that a block reads before it binds them: it takes them over from the previous round or call."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import is_plain_name
from inplace_lsp.fixes.program.site import Tree

Position = tuple[int, int]


def carried_variables(tree: Tree, block: cst.CSTNode) -> list[str]:
    """Return the names and attributes that `block` reads before it binds them, in the order of their bindings."""
    reads, writes = reads_and_bindings(tree, block)
    first = {name: min(places) for name, places in reads.items()}
    return [name for name, places in writes.items() if name in first and first[name] < min(places)]


def reads_and_bindings(tree: Tree, block: cst.CSTNode) -> tuple[dict[str, list[Position]], dict[str, list[Position]]]:
    """Return where `block` reads each variable and where it binds it, at the end of the binding statement."""
    reads: dict[str, list[Position]] = {}
    writes: dict[str, list[Position]] = {}
    for node in tree.nodes_within(tree.span_of(block)):
        if not isinstance(node, (cst.Name, cst.Attribute)) or not is_plain_name(node) or is_no_variable(tree, node):
            continue
        statement = binding_of(tree, node)
        span = tree.span_of(node)
        if statement is None:
            reads.setdefault(tree.code_of(node), []).append((span.row, span.column))
            continue
        if isinstance(statement, cst.AugAssign):
            reads.setdefault(tree.code_of(node), []).append((span.row, span.column))
        end = tree.span_of(statement)
        writes.setdefault(tree.code_of(node), []).append((end.end_row, end.end_column))
    return reads, writes


def is_loop_target(tree: Tree, statement: cst.CSTNode, variable: cst.BaseExpression) -> bool:
    """Return whether a `for` around the statement, in the same function, binds the variable in each round."""
    function = tree.function_of(statement)
    loops = [around for around in tree.parents_of(statement) if isinstance(around, cst.For)]
    return isinstance(variable, cst.Name) and any(
        is_target_of(loop.target, variable.value) for loop in loops if tree.function_of(loop) is function
    )


def is_target_of(target: cst.BaseExpression, name: str) -> bool:
    """Return whether a loop with this target binds the name."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return any(is_target_of(element.value, name) for element in target.elements)
    return isinstance(target, cst.Name) and target.value == name


def is_no_variable(tree: Tree, node: cst.CSTNode) -> bool:
    """Return whether a name is no variable: `name` in `x.name` and `f(name=1)`."""
    parent = tree.parent_of(node)
    attribute = isinstance(parent, cst.Attribute) and parent.attr is node
    return attribute or (isinstance(parent, cst.Arg) and parent.keyword is node)


def binding_of(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the statement that binds the variable `node`, if `node` is a binding target."""
    parent = tree.parent_of(node)
    if isinstance(parent, cst.Element):
        around = list(_enclosing_targets(tree, parent))
        return tree.parent_of(around[-1]) if around and isinstance(around[-1], cst.AssignTarget) else None
    if isinstance(parent, cst.AssignTarget):
        return tree.parent_of(parent)
    bound = isinstance(parent, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr)) and parent.target is node
    return parent if bound else None


def _enclosing_targets(tree: Tree, element: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the tuples around an element of a target, and the target."""
    for around in tree.parents_of(element):
        yield around
        if not isinstance(around, (cst.Tuple, cst.List, cst.Element)):
            return


def assigned_pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Yield each target of an assignment with its value, those of `a, b = c, d` one by one."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        for left, right in zip(target.elements, value.elements, strict=True):
            yield left.value, right.value
    else:
        yield target, value
