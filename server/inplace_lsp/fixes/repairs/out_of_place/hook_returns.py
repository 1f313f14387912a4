"""Return a new tensor from a hook that writes a module's input or output: torch continues with the returned one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, replace_node, shorten_to_line
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree, whole_tree
from inplace_lsp.fixes.repairs.out_of_place.statement import new_value

FORWARD = frozenset({"register_forward_hook", "register_module_forward_hook"})
BEFORE = frozenset({"register_forward_pre_hook", "register_module_forward_pre_hook"})
GRADIENT = "register_hook"


def return_from_hook(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write that is the last statement of a hook without a `return`."""
    site, finding = context.site, context.finding
    if site is None:
        return
    function = site.tree.function_of(site.statement)
    whole = whole_tree(context.text, context.file)
    if whole is None or not isinstance(function, cst.FunctionDef) or not _is_last_statement(site, function):
        return
    for name in _replaceable_names(whole, site.tree, function):
        value = new_value(site, finding, cst.Name(name))
        if value is not None:
            content = f"return {value}"
            warning = f"whoever took `{name}` before keeps the old values"
            edit = replace_node(site, site.statement, content)
            message = f"Return a new tensor from the hook: `{shorten_to_line(content)}`"
            yield Candidate(message, (edit,), (), (warning,), Difference.RETURNED)
            return


RETURN_FROM_HOOK = Repair(REPAIRABLE, return_from_hook)


def _is_last_statement(site: Site, function: cst.FunctionDef) -> bool:
    nodes = site.tree.nodes_within(site.tree.span_of(function.body))
    returns = [node for node in nodes if isinstance(node, cst.Return) and site.tree.function_of(node) is function]
    last: cst.CSTNode | None = function
    while isinstance(last, cst.FunctionDef | cst.If) and getattr(last, "orelse", None) is None:
        body = last.body.body
        last = body[-1] if body else None
    return not returns and site.is_alone and last is site.line


def _replaceable_names(whole: Tree, tree: Tree, function: cst.FunctionDef) -> Iterator[str]:
    """Yield the hook's names for what it may replace: its output, its gradient, or its only input."""
    parameters = [
        parameter.name.value for parameter in function.params.params if parameter.name.value not in {"self", "cls"}
    ]
    kinds = _hook_kinds(whole, _registration_names(tree, function))
    if kinds & FORWARD and len(parameters) == 3:
        yield parameters[2]
    if GRADIENT in kinds and len(parameters) == 1:
        yield parameters[0]
    if kinds & BEFORE and len(parameters) == 2:
        yield from _only_input(tree, function, parameters[1])


def _registration_names(tree: Tree, function: cst.FunctionDef) -> set[str]:
    """Return the names that may register the function: its own, or that of the function that makes it."""
    maker = tree.function_of(function)
    return {function.name.value} | ({maker.name.value} if isinstance(maker, cst.FunctionDef) else set())


def _hook_kinds(whole: Tree, names: set[str]) -> set[str]:
    """Return the kinds of hook as which one of the names is registered with a module or a tensor."""
    kinds = set()
    for node in whole.all_nodes():
        if not isinstance(node, cst.Call) or not node.args:
            continue
        given = node.args[0].value
        hook = given.func if isinstance(given, cst.Call) else given
        if whole.code_of(hook).rsplit(".", 1)[-1] in names:
            kinds.add(whole.code_of(node.func).rsplit(".", 1)[-1])
    return kinds


def _only_input(tree: Tree, function: cst.FunctionDef, inputs: str) -> Iterator[str]:
    """Yield `x` for `(x,) = inputs`."""
    for node in tree.nodes_within(tree.span_of(function.body)):
        if isinstance(node, cst.Assign) and tree.code_of(node.value) == inputs and len(node.targets) == 1:
            target = node.targets[0].target
            if isinstance(target, cst.Tuple) and len(target.elements) == 1:
                yield tree.code_of(target.elements[0].value)
