"""Compute values that training uses later under `no_grad` instead of inference mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.torch_name import find_torch_name
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Create

MODE = "inference_mode"


def replace_inference_mode(context: RepairContext) -> Iterator[Candidate]:
    """Replace `torch.inference_mode()`, where the tensor was made first, by `torch.no_grad()`.

    The results are the same; only the tensors made there become ordinary ones.
    """
    text, finding = context.text, context.finding
    tree = whole_tree(text, finding.span.file)
    torch = find_torch_name(text, finding.span.file)
    if tree is None or torch is None:
        return
    for mode in _find_modes(tree, finding):
        row = tree.span_of(mode).row
        edit = Edit(f"{torch.name}.no_grad", tree.span_of(mode))
        message = f"Use `{torch.name}.no_grad` instead of inference mode on line {row}"
        yield Candidate(message, (*torch.edits, edit))


REPLACE_INFERENCE_MODE = Repair(frozenset({"IP206"}), replace_inference_mode)


def _find_modes(tree: Tree, finding: Finding) -> list[cst.BaseExpression]:
    """Return the names of the mode, those first that enclose the place where the tensor was made."""
    found = _ModeFinder(tree)
    tree.wrapper.module.visit(found)
    made = [event.span for event in finding.story if isinstance(event, Create) and event.span.file == finding.span.file]
    around = {node for place in made for node in tree.nodes_around(place)}
    return sorted(found.names, key=lambda mode: not any(block in around for block in _enclosing_block(tree, mode)))


def _enclosing_block(tree: Tree, mode: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """Return the block or function that runs in the mode."""
    return [node for node in tree.parents_of(mode) if isinstance(node, (cst.With, cst.FunctionDef))][:1]


class _ModeFinder(cst.CSTVisitor):
    """Places that switch the mode on: a `with` statement or a decorator."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.names: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        mode = (
            node.item if isinstance(node, cst.WithItem) else node.decorator if isinstance(node, cst.Decorator) else None
        )
        name = mode.func if isinstance(mode, cst.Call) and not mode.args else mode
        if isinstance(name, (cst.Name, cst.Attribute)) and self.tree.code_of(name).split(".")[-1] == MODE:
            self.names.append(name)
        return True
