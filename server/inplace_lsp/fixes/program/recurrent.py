"""What the variables of a recurrent program hold: one tensor, a pair of them, nothing yet."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from inplace_lsp.fixes.program.site import Tree, whole_tree

PAIR, PAIRS = "LSTMCell", "LSTM"
"""The modules whose state is a pair of tensors: what they return, or the second part of it."""
SINGLES = ("RNN", "GRU", "RNNCell", "GRUCell")


def pairs_of(text: str, tree: Tree) -> frozenset[str]:
    """The variables that hold a tuple of tensors: what an LSTM gives back as its state, and no other recurrent net."""
    whole = whole_tree(text, tree.file) or tree
    found = _Bound()
    whole.wrapper.module.visit(found)
    pairs = {one for one in _results(whole, found, (PAIR,)) if not isinstance(one, cst.Tuple)}
    pairs |= _seconds(_results(whole, found, (PAIRS,)))
    singles = _results(whole, found, SINGLES)
    others = {*singles, *_seconds(singles)}
    return frozenset(map(whole.code, pairs)) - frozenset(map(whole.code, others))


def _results(tree: Tree, found: _Bound, modules: Sequence[str]) -> list[cst.BaseExpression]:
    """What a call of a module of these classes is assigned to."""
    makers = {tree.code(target) for target, value in found.pairs if _last_name(value) in modules}
    calls = ((target, value) for target, value in found.pairs if isinstance(value, cst.Call))
    return [target for target, value in calls if tree.code(value.func) in makers]


def _seconds(targets: Sequence[cst.BaseExpression]) -> set[cst.BaseExpression]:
    """`state` of `out, state`."""
    pairs = (one.elements for one in targets if isinstance(one, cst.Tuple) and len(one.elements) == 2)
    return {second.value for _, second in pairs if not isinstance(second.value, cst.Tuple)}


def nones_of(tree: Tree) -> frozenset[str]:
    """The variables that are None at some time."""
    found = _Bound()
    tree.wrapper.module.visit(found)
    return frozenset(
        tree.code(target) for target, value in found.pairs if isinstance(value, cst.Name) and value.value == "None"
    )


def _last_name(node: cst.BaseExpression) -> str:
    function = node.func if isinstance(node, cst.Call) else None
    name = function.attr if isinstance(function, cst.Attribute) else function
    return name.value if isinstance(name, cst.Name) else ""


class _Bound(cst.CSTVisitor):
    """Every assignment: target and value."""

    def __init__(self) -> None:
        self.pairs: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign):
            self.pairs += [(one.target, node.value) for one in node.targets]
        return True
