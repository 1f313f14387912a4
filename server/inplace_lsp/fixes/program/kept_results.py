"""Find the statements of a method that compute what the object keeps, and spell them for another method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.flow import assigned_pairs, is_no_variable, reads_and_bindings
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.fixes.program.slices import find_stale_statements, statements_of
from inplace_lsp.hazards.finding import Finding


def find_kept_statements(
    tree: Tree, finding: Finding, place: cst.CSTNode, behind: Sequence[cst.CSTNode]
) -> Iterator[tuple[cst.FunctionDef, list[cst.CSTNode]]]:
    """Yield the other methods of the class around `place`, each with its single-line assignments that carry saved
    values to the statements `behind`, by attributes."""
    owner = next((node for node in tree.parents_of(place) if isinstance(node, cst.ClassDef)), None)
    own = tree.function_of(place)
    for method in owner.body.body if owner is not None else ():
        if isinstance(method, cst.FunctionDef) and method is not own:
            stale = find_stale_statements(tree, finding, statements_of(method.body), behind)
            if stale and all(_is_line(statement) for statement in stale):
                yield method, stale


def _is_line(statement: cst.CSTNode) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Assign)


def spell_in_other_method(tree: Tree, method: cst.FunctionDef, statement: cst.CSTNode) -> str | None:
    """Return the text of a line of the method with its variables as attributes, where the method keeps them as such:
    `y` after `self.y = y`; None if one is kept in none, or the line makes one."""
    kept = _attributes_by_variable(tree, method)
    local = _variables_of(tree, method)
    _, bound = reads_and_bindings(tree, statement)
    if {*bound} & local:
        return None
    line = tree.span_of(statement)
    text = tree.code_of(statement.body[0]).strip() if isinstance(statement, cst.SimpleStatementLine) else ""
    for node in sorted(_names_in(tree, statement), key=lambda node: -tree.span_of(node).column):
        span = tree.span_of(node)
        if node.value in local and node.value not in kept:
            return None
        if node.value in local and span.row == line.row == line.end_row:
            at = span.column - line.column
            text = f"{text[:at]}{kept[node.value]}{text[at + len(node.value) :]}"
        elif node.value in local:
            return None  # on several rows: columns do not tell where it stands in the text
    return text


def _names_in(tree: Tree, statement: cst.CSTNode) -> list[cst.Name]:
    nodes = tree.nodes_within(tree.span_of(statement))
    return [node for node in nodes if isinstance(node, cst.Name) and not is_no_variable(tree, node)]


def _variables_of(tree: Tree, method: cst.FunctionDef) -> set[str]:
    """Return the parameters and variables of a method, without its object."""
    _, bound = reads_and_bindings(tree, method.body)
    parameters = [parameter.name.value for parameter in (*method.params.params, *method.params.kwonly_params)]
    return {name for name in bound if "." not in name} | set(parameters[1:])


def _attributes_by_variable(tree: Tree, method: cst.FunctionDef) -> dict[str, str]:
    """Return the attributes that keep variables as they are: `self.y = y`, `self.x, self.y = x, y`."""
    found: dict[str, str] = {}
    for node in tree.nodes_within(tree.span_of(method)):
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            for target, value in assigned_pairs(node.targets[0].target, node.value):
                if isinstance(target, cst.Attribute) and isinstance(value, cst.Name):
                    found[value.value] = tree.code_of(target)
    return found
