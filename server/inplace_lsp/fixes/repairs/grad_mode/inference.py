"""Values that are used in training later are made under `no_grad`, not in inference mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.torch_name import torch_name
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Create

MODE = "inference_mode"


def no_inference_mode(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP206: `torch.no_grad()` in place of `torch.inference_mode()`, where the tensor was made first.

    Nothing computes otherwise: only the tensors made there are ordinary ones.
    """
    tree = whole_tree(text, finding.span.file) if finding.code == "IP206" else None
    torch = torch_name(text, finding.span.file)
    if tree is None or torch is None:
        return
    for mode in _modes(tree, finding):
        row = tree.span(mode).row
        edit = Edit(f"{torch.name}.no_grad", tree.span(mode))
        message = f"Use `{torch.name}.no_grad` instead of inference mode on line {row}"
        yield Candidate(message, (*torch.edits, edit))


def _modes(tree: Tree, finding: Finding) -> list[cst.BaseExpression]:
    """The names of the mode, those first that stand round the place where the tensor was made."""
    found = _Modes(tree)
    tree.wrapper.module.visit(found)
    made = [one.span for one in finding.story if isinstance(one, Create) and one.span.file == finding.span.file]
    around = {node for place in made for node in tree.covering(place)}
    return sorted(found.names, key=lambda mode: not any(one in around for one in _blocks(tree, mode)))


def _blocks(tree: Tree, mode: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The block or function that the mode is switched on for."""
    return [one for one in tree.parents(mode) if isinstance(one, (cst.With, cst.FunctionDef))][:1]


class _Modes(cst.CSTVisitor):
    """Where the mode is switched on: in a `with`, or as a decorator."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.names: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        mode = (
            node.item if isinstance(node, cst.WithItem) else node.decorator if isinstance(node, cst.Decorator) else None
        )
        name = mode.func if isinstance(mode, cst.Call) and not mode.args else mode
        if isinstance(name, (cst.Name, cst.Attribute)) and self.tree.code(name).split(".")[-1] == MODE:
            self.names.append(name)
        return True
