"""Clone at the save: the op keeps a copy that no later write reaches, and everybody still sees the write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.codes import SAVED_WRITES
from inplace_lsp.fixes.program.escapes import with_aliases
from inplace_lsp.fixes.program.parameter_names import add_parameter_names
from inplace_lsp.fixes.program.precedence import is_closed
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.roots import is_written
from inplace_lsp.fixes.program.site import Site, site_at, start_of_function
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Create, Event, Save, Span, TensorState, View
from inplace_lsp.torch_ops.table import find_overloads

OPERATORS = {"pow": cst.Power, "div": cst.Divide, "true_divide": cst.Divide, "__rpow__": cst.Power}
PROPERTIES = frozenset({"shape", "ndim", "dtype", "device", "requires_grad", "is_leaf", "grad", "grad_fn", "layout"})


def clone_at_save(context: RepairContext) -> Iterator[Candidate]:
    """Clone the operand that an op saves."""
    edits: dict[Edit, None] = {}
    cloned: list[Span] = []
    places = set(context.finding.places_of("saved"))
    for save in context.finding.story:
        if isinstance(save, Save) and save.span in places:
            found = dict.fromkeys(_clone_saved_operand(context.text, save, context.finding, context.file))
            cloned += [save.span] if found else []
            edits |= found
    yield from _clone_candidate(edits, _warn_about_other_function(context, cloned))


def _warn_about_other_function(context: RepairContext, cloned: Iterable[Span]) -> tuple[str, ...]:
    """Return a warning where the copies are made in another function than the write: that has other callers."""
    here = start_of_function(context.text, context.finding.span) if context.site is not None else None
    elsewhere = any(start_of_function(context.text, place) not in (here, None) for place in cloned)
    return ("every call of that function makes a copy",) if elsewhere else ()


def clone_overlapping(context: RepairContext) -> Iterator[Candidate]:
    """Clone the operand that overlaps with the written memory."""
    site = context.site
    if site is None:
        return
    nodes = [*_value_nodes(site), *_index_nodes(site)]
    yield from _clone_candidate(dict.fromkeys(_clone_reads(site, _tensor_names(context.finding.story), nodes)))


CLONE_AT_SAVE = Repair(SAVED_WRITES, clone_at_save)
CLONE_OVERLAPPING = Repair(frozenset({"IP205"}), clone_overlapping)


def _clone_candidate(edits: dict[Edit, None], warnings: tuple[str, ...] = ()) -> Iterator[Candidate]:
    if edits:
        rows = sorted({edit.span.row for edit in edits})
        where = f"line{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"
        yield Candidate(f"Let the op keep a copy: `.clone()` on {where}", tuple(edits), (), warnings)


def _clone_saved_operand(text: str, save: Save, finding: Finding, file: str) -> Iterator[Edit]:
    site = site_at(text, save.span) if save.span.file == file else None
    if site is None:
        return
    if save.role.startswith("result"):
        yield from _clone_results(site, save.op) if _returns_tensor(save.op) else ()
    else:
        names = _tensor_names(finding.story, save.tensor.counter)
        names = add_parameter_names(text, save.span, names)
        yield from _clone_reads(site, names, _value_nodes(site), _module_parameters(finding.story))


def _returns_tensor(op: str) -> bool:
    """Return whether the op returns a tensor: a tuple cannot be cloned."""
    overloads = [
        *find_overloads(f"torch.{op}"),
        *find_overloads(f"torch.Tensor.{op}"),
        *find_overloads(f"torch.nn.functional.{op}"),
    ]
    return all(overload.returns == 1 for overload in overloads)


def _clone_results(site: Site, op: str) -> Iterator[Edit]:
    """Clone the results of the op's calls in the statement; if a module hides the op, clone the assigned value."""
    found = [node for node in _value_nodes(site) if _is_op(node, op)]
    value = getattr(site.statement, "value", None)
    if not found and isinstance(value, cst.Call) and not (_calls_class(value) or _unpacks_value(site.statement)):
        found = [value]
    for node in found:
        yield from _clone_node(site, node)


def _calls_class(call: cst.Call) -> bool:
    """Return whether the callee is named like a class: it then returns no tensor."""
    return isinstance(call.func, cst.Name) and call.func.value[:1].isupper()


def _unpacks_value(statement: cst.CSTNode) -> bool:
    """Return whether the assignment unpacks its value, which then is no tensor to clone."""
    targets = statement.targets if isinstance(statement, cst.Assign) else ()
    return any(isinstance(target.target, (cst.Tuple, cst.List)) for target in targets)


def _is_op(node: cst.CSTNode, op: str) -> bool:
    if isinstance(node, cst.Call):
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        return isinstance(name, cst.Name) and name.value == op
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, OPERATORS.get(op, ()))


def _module_parameters(story: tuple[Event, ...]) -> frozenset[str]:
    """Return the names of torch modules' own parameters: `weight` is read as `self.weight`."""
    made = [event.tensor for event in story if isinstance(event, Create) and event.op == "Parameter"]
    return frozenset(tensor.name for tensor in made if tensor.name and "." not in tensor.name)


def _clone_reads(
    site: Site, names: frozenset[str], nodes: Iterable[cst.CSTNode], attributes: frozenset[str] = frozenset()
) -> Iterator[Edit]:
    """Clone what these nodes of the statement read of the memory, at the outermost expression that is part of it:
    `out[t - 1]`, not `out`."""
    names = with_aliases(site.tree, names)
    for node in nodes:
        parent = site.tree.parent_of(node)
        attribute = isinstance(node, cst.Attribute) and node.attr.value in attributes
        if not _is_variable_read(node, parent) or not (attribute or site.tree.code_of(node) in names):
            continue
        whole = node
        while isinstance(parent, cst.Subscript) and parent.value is whole:
            whole, parent = parent, site.tree.parent_of(parent)
        if not is_written(site.tree, whole):
            yield from _clone_node(site, whole)


def _is_variable_read(node: cst.CSTNode, parent: cst.CSTNode | None) -> bool:
    """Return whether `node` is a variable whose values are read: no keyword, not `y` in `y.shape`."""
    if isinstance(parent, cst.Arg) and parent.keyword is node:
        return False
    if isinstance(parent, cst.Attribute) and (parent.attr is node or parent.attr.value in PROPERTIES):
        return False
    return isinstance(node, (cst.Name, cst.Attribute))


def _value_nodes(site: Site) -> list[cst.CSTNode]:
    """Return the nodes of the value that the statement computes, without its targets."""
    value = getattr(site.statement, "value", None)
    return site.tree.nodes_within(site.tree.span_of(value)) if isinstance(value, cst.BaseExpression) else []


def _index_nodes(site: Site) -> list[cst.CSTNode]:
    """Return the nodes of the indices by which the statement selects what it assigns to: `y` in `x[y] = 0`."""
    statement = site.statement
    targets = [target.target for target in statement.targets] if isinstance(statement, cst.Assign) else []
    targets += [statement.target] if isinstance(statement, cst.AugAssign) else []
    parts = [part for target in targets if isinstance(target, cst.Subscript) for part in target.slice]
    return [node for part in parts for node in site.tree.nodes_within(site.tree.span_of(part.slice))]


def _clone_node(site: Site, node: cst.CSTNode) -> Iterator[Edit]:
    if not isinstance(node, cst.BaseExpression):
        return
    span = site.tree.span_of(node)
    if is_closed(node):
        yield insert_at(span.file, *site.tree.end_with_parentheses(node), ".clone()")
        yield from _space_operator(site, node)
    else:
        yield insert_at(span.file, span.row, span.column, "(")
        yield insert_at(span.file, span.end_row, span.end_column, ").clone()")


def _space_operator(site: Site, base: cst.BaseExpression) -> Iterator[Edit]:
    """Add the spaces that `**` needs next to a call: `x**3` becomes `x.clone() ** 3`."""
    power = site.tree.parent_of(base)
    close = isinstance(power, cst.BinaryOperation) and isinstance(power.operator, cst.Power) and power.left is base
    if isinstance(power, cst.BinaryOperation) and close and site.tree.code_of(power.operator) == "**":
        span = site.tree.span_of(power.operator)
        yield insert_at(span.file, span.row, span.column, " ")
        yield insert_at(span.file, span.end_row, span.end_column, " ")


def _tensor_names(story: tuple[Event, ...], counter: int | None = None) -> frozenset[str]:
    """Return every tensor name in the story; with `counter`, only of tensors with that version counter (no arrays)."""
    states: list[TensorState] = []
    for event in story:
        states += [event.of, event.tensor] if isinstance(event, View) else []
        tensor = getattr(event, "tensor", None)
        states += [tensor] if isinstance(tensor, TensorState) else []
    return frozenset(state.name for state in states if state.name and counter in (None, state.counter))
