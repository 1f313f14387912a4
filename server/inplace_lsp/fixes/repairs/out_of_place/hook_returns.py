"""A hook that writes what a module takes or gives in place returns a new tensor instead: torch goes on with that."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, one_line, replace_node
from inplace_lsp.fixes.program.site import Site, Tree, whole_tree
from inplace_lsp.fixes.repairs.out_of_place.statement import new_value
from inplace_lsp.hazards.finding import Finding

FORWARD, BEFORE = "register_forward_hook", "register_forward_pre_hook"


def hook_returns(site: Site, finding: Finding, text: str) -> Iterator[Candidate]:
    """For a write that is the last thing a hook does, where it returns nothing so far."""
    function = site.tree.function_of(site.statement)
    whole = whole_tree(text, finding.span.file)
    if whole is None or not isinstance(function, cst.FunctionDef) or not _is_last(site, function):
        return
    for name in _handled(whole, site.tree, function):
        value = new_value(site, finding, cst.Name(name))
        if value is not None:
            content = f"return {value}"
            warning = f"whoever took `{name}` before keeps the old values"
            edit = replace_node(site, site.statement, content)
            yield Candidate(f"Return a new tensor from the hook: `{one_line(content)}`", (edit,), (), (warning,))
            return


def _is_last(site: Site, function: cst.FunctionDef) -> bool:
    nodes = site.tree.within(site.tree.span(function.body))
    returns = [one for one in nodes if isinstance(one, cst.Return) and site.tree.function_of(one) is function]
    body = list(function.body.body)
    return not returns and site.is_alone and bool(body) and body[-1] is site.line


def _handled(whole: Tree, tree: Tree, function: cst.FunctionDef) -> Iterator[str]:
    """The names under which a hook has what it may return anew: its output, or the only one of its inputs."""
    parameters = [one.name.value for one in function.params.params if one.name.value not in {"self", "cls"}]
    kinds = _registered(whole, _names(tree, function))
    if FORWARD in kinds and len(parameters) == 3:
        yield parameters[2]
    if BEFORE in kinds and len(parameters) == 2:
        yield from _only_input(tree, function, parameters[1])


def _names(tree: Tree, function: cst.FunctionDef) -> set[str]:
    """The names by which the function is registered: its own, or that of the function that makes it."""
    maker = tree.function_of(function)
    return {function.name.value} | ({maker.name.value} if isinstance(maker, cst.FunctionDef) else set())


def _registered(whole: Tree, names: set[str]) -> set[str]:
    """As which kinds of hook one of the names is given to a module."""
    kinds = set()
    for node in whole.every():
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or not node.args:
            continue
        given = node.args[0].value
        hook = given.func if isinstance(given, cst.Call) else given
        if whole.code(hook).rsplit(".", 1)[-1] in names:
            kinds.add(node.func.attr.value)
    return kinds


def _only_input(tree: Tree, function: cst.FunctionDef, inputs: str) -> Iterator[str]:
    """`x` of `(x,) = inputs`."""
    for node in tree.within(tree.span(function.body)):
        if isinstance(node, cst.Assign) and tree.code(node.value) == inputs and len(node.targets) == 1:
            target = node.targets[0].target
            if isinstance(target, cst.Tuple) and len(target.elements) == 1:
                yield tree.code(target.elements[0].value)
