"""Find the names under which a function receives what its callers pass: a tape keeps only a tensor's last name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst
from libcst.metadata import MetadataWrapper

from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.tape.model import Span


def add_parameter_names(text: str, place: Span, names: frozenset[str]) -> frozenset[str]:
    """Return `names` and the parameters of the function around `place` that some call in sight binds to one of them."""
    tree = whole_tree(text, place.file)
    functions = [node for node in tree.nodes_around(place) if isinstance(node, cst.FunctionDef)] if tree else []
    if tree is None or not functions:
        return names
    return names | {
        parameter
        for call in find_calls_of(tree, functions[-1].name.value)
        for parameter, argument in _bind_arguments(functions[-1], call)
        if tree.code_of(argument) in names
    }


def find_calls_of(tree: Tree, function: str) -> list[cst.Call]:
    """Return every call in sight of a function or method with that name."""
    return list(_calls_by_name(tree.wrapper).get(function, ()))


@lru_cache(maxsize=2)
def _calls_by_name(wrapper: MetadataWrapper) -> dict[str, list[cst.Call]]:
    """Return the calls in the order of the text, found once: each repair of each finding asks for some."""
    finder = _CallFinder()
    wrapper.module.visit(finder)
    return finder.found


class _CallFinder(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: dict[str, list[cst.Call]] = {}

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        if isinstance(name, cst.Name):
            self.found.setdefault(name.value, []).append(node)


def _bind_arguments(function: cst.FunctionDef, call: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield the parameters that `call` binds with their values, up to the first `*`."""
    parameters = [parameter.name.value for parameter in (*function.params.posonly_params, *function.params.params)]
    if parameters[:1] in (["self"], ["cls"]) and isinstance(call.func, cst.Attribute):
        parameters = parameters[1:]
    for at, argument in enumerate(call.args):
        if argument.star:
            return
        if argument.keyword is not None:
            yield argument.keyword.value, argument.value
        elif at < len(parameters):
            yield parameters[at], argument.value
