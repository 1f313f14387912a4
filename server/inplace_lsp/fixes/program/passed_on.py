"""Under which names a function knows what its callers pass: a tape knows a tensor by the last of its names only."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.tape.model import Span


def with_parameters(text: str, place: Span, names: frozenset[str]) -> frozenset[str]:
    """`names` and those parameters of the function round `place` to which a call in sight passes one of them."""
    tree = whole_tree(text, place.file)
    functions = [node for node in tree.covering(place) if isinstance(node, cst.FunctionDef)] if tree else []
    if tree is None or not functions:
        return names
    return names | {
        parameter
        for call in calls_of(tree, functions[-1].name.value)
        for parameter, argument in _bound(functions[-1], call)
        if tree.code(argument) in names
    }


def calls_of(tree: Tree, function: str) -> list[cst.Call]:
    """Every call in sight of a function or method of that name."""
    finder = _Calls(function)
    tree.wrapper.module.visit(finder)
    return finder.found


class _Calls(cst.CSTVisitor):
    def __init__(self, function: str) -> None:
        self.function = function
        self.found: list[cst.Call] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Call):
            name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
            if isinstance(name, cst.Name) and name.value == self.function:
                self.found.append(node)
        return True


def _bound(function: cst.FunctionDef, call: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The parameters that `call` gives a value, with these; up to the first `*`."""
    parameters = [one.name.value for one in (*function.params.posonly_params, *function.params.params)]
    if parameters[:1] in (["self"], ["cls"]) and isinstance(call.func, cst.Attribute):
        parameters = parameters[1:]
    for at, argument in enumerate(call.args):
        if argument.star:
            return
        if argument.keyword is not None:
            yield argument.keyword.value, argument.value
        elif at < len(parameters):
            yield parameters[at], argument.value
