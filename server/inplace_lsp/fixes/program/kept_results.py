"""Find the statements of a method that compute what the object keeps, and spell them for another method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.flow import assigned_pairs, is_no_variable, reads_and_bindings
from inplace_lsp.fixes.program.scopes import binds, is_bound_in
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
    _, bound = reads_and_bindings(tree, statement)
    if any(_is_variable_of(tree, method, name) for name in bound):
        return None
    line = tree.span_of(statement)
    text = tree.code_of(statement.body[0]).strip() if isinstance(statement, cst.SimpleStatementLine) else ""
    for node in sorted(_names_in(tree, statement), key=lambda node: -tree.span_of(node).column):
        if not _is_variable_of(tree, method, node.value):
            continue
        span = tree.span_of(node)
        kept = _find_keeping_attribute(tree, method, statement, node.value)
        if kept is None or not span.row == line.row == line.end_row:
            return None  # on several rows: columns do not tell where it stands in the text
        at = span.column - line.column
        text = f"{text[:at]}{kept}{text[at + len(node.value) :]}"
    return text


def _names_in(tree: Tree, statement: cst.CSTNode) -> list[cst.Name]:
    nodes = tree.nodes_within(tree.span_of(statement))
    return [node for node in nodes if isinstance(node, cst.Name) and not is_no_variable(tree, node)]


def _is_variable_of(tree: Tree, method: cst.FunctionDef, name: str) -> bool:
    """Return whether a name is a parameter or variable of a method, and not its object."""
    first = next(iter((*method.params.posonly_params, *method.params.params)), None)
    if first is not None and name == first.name.value:
        return False
    return is_bound_in(method, name) or name in _names_defined_in(tree, method)


def _names_defined_in(tree: Tree, method: cst.FunctionDef) -> set[str]:
    """Return the names of the functions and classes that a method defines, and of what it imports."""
    found = set()
    for node in tree.nodes_within(tree.span_of(method.body)):
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            found.add(node.name.value)
        elif isinstance(node, cst.ImportAlias):
            found.add((node.evaluated_alias or node.evaluated_name).split(".")[0])
    return found


def _find_keeping_attribute(tree: Tree, method: cst.FunctionDef, reader: cst.CSTNode, variable: str) -> str | None:
    """Return the attribute that keeps the variable as the statement `reader` of the method reads it: `self.y` after
    `self.y = y`, if nothing else binds the attribute, and the variable is not bound between the two."""
    block = statements_of(method.body)
    for at, statement in enumerate(block):
        first, last = sorted((at, block.index(reader)))
        if not any(binds(between, variable) for between in (*block[first + 1 : last], statement)):
            for attribute in _attributes_kept_by(tree, statement, variable):
                if _count_bindings(tree, method, attribute) == 1:
                    return attribute
    return None


def _attributes_kept_by(tree: Tree, statement: cst.CSTNode, variable: str) -> Iterator[str]:
    """Yield the attributes that a line binds to a variable: `self.y = y`, `self.x, self.y = x, y`."""
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            for target, value in assigned_pairs(small.targets[0].target, small.value):
                if isinstance(target, cst.Attribute) and isinstance(value, cst.Name) and value.value == variable:
                    yield tree.code_of(target)


def _count_bindings(tree: Tree, method: cst.FunctionDef, attribute: str) -> int:
    """Return how often the class binds an attribute after its construction: another method may run in between."""
    owner = tree.parent_of(tree.parent_of(method) or method)
    others = owner.body.body if isinstance(owner, cst.ClassDef) else (method,)
    methods = (each for each in others if isinstance(each, cst.FunctionDef) and each.name.value != "__init__")
    return sum(len(reads_and_bindings(tree, each)[1].get(attribute, ())) for each in methods)
