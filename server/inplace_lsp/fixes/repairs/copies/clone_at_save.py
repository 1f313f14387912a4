"""Clone at the save: the op keeps a copy that no later write reaches, and everybody still sees the write."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.handed_on import with_aliases
from inplace_lsp.fixes.program.passed_on import with_parameters
from inplace_lsp.fixes.program.precedence import is_closed
from inplace_lsp.fixes.program.roots import is_written
from inplace_lsp.fixes.program.site import Site, site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Create, Event, Save, TensorState, View
from inplace_lsp.torch_ops.table import find

OPERATORS = {"pow": cst.Power, "div": cst.Divide, "true_divide": cst.Divide, "__rpow__": cst.Power}
PROPERTIES = frozenset({"shape", "ndim", "dtype", "device", "requires_grad", "is_leaf", "grad", "grad_fn", "layout"})
SAVED = {"IP101", "IP301"}


def clone_at_save(text: str, finding: Finding, file: str = "") -> Iterator[Candidate]:
    """For IP101 and IP301 at the ops that saved; for IP205 at the operand that overlaps with what is written.

    `text` is the contents of `file`, by default of that of the finding.
    """
    file = file or finding.span.file
    edits: dict[Edit, None] = {}
    if finding.code == "IP205" and finding.span.file == file:
        site = site_at(text, finding.span)
        edits = dict.fromkeys(_at_reads(site, _names(finding.story)) if site else ())
    elif finding.code in SAVED:
        places = {one.span for one in finding.related if one.role == "saved"}
        for save in finding.story:
            if isinstance(save, Save) and save.span in places:
                edits |= dict.fromkeys(_at_save(text, save, finding, file))
    if edits:
        rows = sorted({edit.span.row for edit in edits})
        where = f"line{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"
        yield Candidate(f"Let the op keep a copy: `.clone()` on {where}", tuple(edits))


def _at_save(text: str, save: Save, finding: Finding, file: str) -> Iterator[Edit]:
    site = site_at(text, save.span) if save.span.file == file else None
    if site is None:
        return
    if save.role.startswith("result"):
        yield from _at_results(site, save.op) if _returns_one(save.op) else ()
    else:
        names = _names(finding.story, save.tensor.counter)
        yield from _at_reads(site, with_parameters(text, save.span, names), _of_module(finding.story))


def _returns_one(op: str) -> bool:
    """Whether what the op gives back is a tensor: a tuple cannot be cloned."""
    overloads = [*find(f"torch.{op}"), *find(f"torch.Tensor.{op}"), *find(f"torch.nn.functional.{op}")]
    return all(one.returns == 1 for one in overloads)


def _at_results(site: Site, op: str) -> Iterator[Edit]:
    """At the calls of the op in the statement; where it hides in a module, at what is assigned."""
    found = [node for node in _nodes(site) if _is_op(node, op)]
    value = getattr(site.statement, "value", None)
    if not found and isinstance(value, cst.Call) and not (_makes_an_object(value) or _is_unpacked(site.statement)):
        found = [value]
    for node in found:
        yield from _cloned(site, node)


def _makes_an_object(call: cst.Call) -> bool:
    """Whether it calls a class, as its name tells: what comes back is no tensor."""
    return isinstance(call.func, cst.Name) and call.func.value[:1].isupper()


def _is_unpacked(statement: cst.CSTNode) -> bool:
    """Whether what is assigned is taken apart: it is no tensor, or its rows are."""
    targets = statement.targets if isinstance(statement, cst.Assign) else ()
    return any(isinstance(one.target, (cst.Tuple, cst.List)) for one in targets)


def _is_op(node: cst.CSTNode, op: str) -> bool:
    if isinstance(node, cst.Call):
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        return isinstance(name, cst.Name) and name.value == op
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, OPERATORS.get(op, ()))


def _of_module(story: tuple[Event, ...]) -> frozenset[str]:
    """The names that modules of torch give their parameters: `weight`, which is read as `self.weight`."""
    made = [one.tensor for one in story if isinstance(one, Create) and one.op == "Parameter"]
    return frozenset(one.name for one in made if one.name and "." not in one.name)


def _at_reads(site: Site, names: frozenset[str], attributes: frozenset[str] = frozenset()) -> Iterator[Edit]:
    """At what the statement reads of the memory, as far out as it is still a part of it: `out[t - 1]`, not `out`."""
    names = with_aliases(site.tree, names)
    for node in _nodes(site):
        parent = site.tree.parent(node)
        attribute = isinstance(node, cst.Attribute) and node.attr.value in attributes
        if not _is_read(node, parent) or not (attribute or site.tree.code(node) in names):
            continue
        whole = node
        while isinstance(parent, cst.Subscript) and parent.value is whole:
            whole, parent = parent, site.tree.parent(parent)
        if not is_written(site.tree, whole):
            yield from _cloned(site, whole)


def _is_read(node: cst.CSTNode, parent: cst.CSTNode | None) -> bool:
    """Whether `node` is a variable whose values are looked at: not a keyword, not `y` of `y.shape`."""
    if isinstance(parent, cst.Arg) and parent.keyword is node:
        return False
    if isinstance(parent, cst.Attribute) and (parent.attr is node or parent.attr.value in PROPERTIES):
        return False
    return isinstance(node, (cst.Name, cst.Attribute))


def _nodes(site: Site) -> list[cst.CSTNode]:
    """The nodes of what the statement computes; its targets are none of them."""
    value = getattr(site.statement, "value", None)
    return site.tree.within(site.tree.span(value)) if isinstance(value, cst.BaseExpression) else []


def _cloned(site: Site, node: cst.CSTNode) -> Iterator[Edit]:
    if not isinstance(node, cst.BaseExpression):
        return
    span = site.tree.span(node)
    if is_closed(node):
        # the span of a node is without the parentheses round it
        shift = sum(len(site.tree.code(one)) for one in node.rpar)
        yield insertion(span.file, span.end_row, span.end_column + shift, ".clone()")
        yield from _spaced(site, node)
    else:
        yield insertion(span.file, span.row, span.column, "(")
        yield insertion(span.file, span.end_row, span.end_column, ").clone()")


def _spaced(site: Site, base: cst.BaseExpression) -> Iterator[Edit]:
    """`x**3` is written closely round a name only: `x.clone() ** 3`."""
    power = site.tree.parent(base)
    close = isinstance(power, cst.BinaryOperation) and isinstance(power.operator, cst.Power) and power.left is base
    if isinstance(power, cst.BinaryOperation) and close and site.tree.code(power.operator) == "**":
        span = site.tree.span(power.operator)
        yield insertion(span.file, span.row, span.column, " ")
        yield insertion(span.file, span.end_row, span.end_column, " ")


def _names(story: tuple[Event, ...], counter: int | None = None) -> frozenset[str]:
    """Every name of a tensor of the story; with `counter` only of those that have that version counter (no arrays)."""
    states: list[TensorState] = []
    for event in story:
        states += [event.of, event.tensor] if isinstance(event, View) else []
        tensor = getattr(event, "tensor", None)
        states += [tensor] if isinstance(tensor, TensorState) else []
    return frozenset(state.name for state in states if state.name and counter in (None, state.counter))
