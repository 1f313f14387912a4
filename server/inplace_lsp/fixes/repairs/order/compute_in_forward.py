"""Compute in every `forward` what a constructor computes once from parameters: its graph is freed with the first
backward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, remove_paragraph
from inplace_lsp.fixes.program.codes import OLD_GRAPHS
from inplace_lsp.fixes.program.flow import binding_of, reads_and_bindings
from inplace_lsp.fixes.program.precedence import ATOMS
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.scopes import is_bound_in, is_parameter
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import indented_source, statements_of
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class _Computed:
    """An attribute that a constructor computes: `self.name = value` on `line` of `constructor` in `owner`."""

    tree: Tree
    owner: cst.ClassDef
    constructor: cst.FunctionDef
    line: cst.SimpleStatementLine
    target: cst.Attribute
    value: cst.BaseExpression

    @property
    def name(self) -> str:
        return self.tree.code_of(self.target)

    def find_reads(self) -> list[cst.Attribute]:
        """Return where the attribute is read, anywhere in the file: under another name than `self` too."""
        attributes = (node for node in self.tree.all_nodes() if isinstance(node, cst.Attribute))
        return [
            node
            for node in attributes
            if node.attr.value == self.target.attr.value and binding_of(self.tree, node) is None
        ]


def compute_in_forward(context: RepairContext) -> Iterator[Candidate]:
    """Repair a second backward through an attribute that a constructor computes from a parameter."""
    tree = whole_tree(context.text, context.file)
    for place in dict.fromkeys(context.finding.places_of("saved", context.file)):
        computed = _find_computed_attribute(tree, place) if tree is not None else None
        if computed is not None:
            yield from _keep_parameter(computed)
            yield from _move_into_forward(computed)
            return


COMPUTE_IN_FORWARD = Repair(OLD_GRAPHS, compute_in_forward)


def _find_computed_attribute(tree: Tree, place: Span) -> _Computed | None:
    """Return the attribute that the statement there computes, if it stands in a constructor of its own right."""
    around = tree.nodes_around(place)
    lines = [node for node in around if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1]
    statement = lines[-1].body[0] if lines else None
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    constructor, target = tree.function_of(statement), statement.targets[0].target
    owners = [node for node in around if isinstance(node, cst.ClassDef)]
    if not isinstance(constructor, cst.FunctionDef) or constructor.name.value != "__init__" or not owners:
        return None
    if not isinstance(target, cst.Attribute) or tree.code_of(target.value) != "self":
        return None
    return _Computed(tree, owners[-1], constructor, lines[-1], target, statement.value)


def _keep_parameter(computed: _Computed) -> Iterator[Candidate]:
    """Keep the parameter itself in the attribute, and write the computation where that is read."""
    tree, name = computed.tree, computed.name
    made = [call for call in tree.calls_in(computed.value) if tree.code_of(call.func).split(".")[-1] == "Parameter"]
    reads = computed.find_reads()
    of_others = any(tree.code_of(read) != name or tree.function_of(read) is computed.constructor for read in reads)
    if len(made) != 1 or made[0] is computed.value or not reads or of_others:
        return
    parameter, whole = tree.code_of(made[0]), tree.code_of(computed.value)
    if whole.count(parameter) != 1:
        return
    content = whole.replace(parameter, name)
    content = content if isinstance(computed.value, ATOMS) else f"({content})"
    edits = (Edit(parameter, tree.span_of(computed.value)), *(Edit(content, tree.span_of(read)) for read in reads))
    message = f"Keep the parameter in `{name}`, and compute `{content}` where it is read"
    warning = f"`{name}` is then trained, and holds the value before"
    yield Candidate(message, edits, (), (warning,), Difference.KEPT_PARAMETER)


def _needs_constructor(computed: _Computed) -> bool:
    """Return whether the computation reads a parameter or a local variable of the constructor."""
    constructor = computed.constructor
    reads, _ = reads_and_bindings(computed.tree, computed.value)
    roots = {read.split(".")[0] for read in reads} - {"self"}
    return any(is_parameter(constructor, root) or is_bound_in(constructor, root) for root in roots)


def _move_into_forward(computed: _Computed) -> Iterator[Candidate]:
    """Move the statement to the start of `forward`, if it needs nothing else of the constructor."""
    tree, name = computed.tree, computed.name
    methods = (method for method in computed.owner.body.body if isinstance(method, cst.FunctionDef))
    forward = next((method for method in methods if method.name.value == "forward"), None)
    if forward is None or _needs_constructor(computed):
        return
    if any(tree.function_of(read) is not forward for read in computed.find_reads()):
        return
    if "Parameter(" in tree.code_of(computed.value) or not isinstance(forward.body, cst.IndentedBlock):
        return
    first = next((line for line in statements_of(forward.body) if not _is_text(line)), None)
    if first is None:
        return
    start = tree.span_of(first)
    indent = tree.indentation_of(start.row)
    content = f"{indented_source(tree, computed.line, indent)}\n{indent}"
    edits = (remove_paragraph(tree, computed.line), insert_at(tree.file, start.row, start.column, content))
    warnings = ("computed with the parameters of that call",)
    yield Candidate(f"Compute `{name}` in every call of `forward`", edits, (), warnings, Difference.PASSES)


def _is_text(line: cst.CSTNode) -> bool:
    only = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(only, cst.Expr) and isinstance(only.value, cst.BaseString)
