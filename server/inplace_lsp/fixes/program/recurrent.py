"""Find the kinds of values in the variables of a recurrent program: a tensor, a pair of tensors, None."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from inplace_lsp.fixes.program.site import Tree, callee_name, whole_tree

PAIR, PAIRS = "LSTMCell", "LSTM"
"""The modules whose state is a pair of tensors: what they return, or the second part of it."""
SINGLES = ("RNN", "GRU", "RNNCell", "GRUCell")


def find_state_pairs(text: str, tree: Tree) -> frozenset[str]:
    """Return the variables that hold a tuple of tensors, as the state of an LSTM is."""
    whole = whole_tree(text, tree.file) or tree
    found = _Assignments()
    whole.wrapper.module.visit(found)
    pairs = {result for result in _module_results(whole, found, (PAIR,)) if not isinstance(result, cst.Tuple)}
    pairs |= _second_targets(_module_results(whole, found, (PAIRS,)))
    singles = _module_results(whole, found, SINGLES)
    others = {*singles, *_second_targets(singles)}
    return frozenset(map(whole.code_of, pairs)) - frozenset(map(whole.code_of, others))


def _module_results(tree: Tree, found: _Assignments, modules: Sequence[str]) -> list[cst.BaseExpression]:
    """Return the targets that results of modules of these classes are assigned to."""
    makers = {tree.code_of(target) for target, value in found.pairs if callee_name(value) in modules}
    calls = ((target, value) for target, value in found.pairs if isinstance(value, cst.Call))
    return [target for target, value in calls if tree.code_of(value.func) in makers]


def _second_targets(targets: Sequence[cst.BaseExpression]) -> set[cst.BaseExpression]:
    """Return `state` of `out, state`."""
    pairs = (target.elements for target in targets if isinstance(target, cst.Tuple) and len(target.elements) == 2)
    return {second.value for _, second in pairs if not isinstance(second.value, cst.Tuple)}


def find_none_variables(tree: Tree) -> frozenset[str]:
    """Return the variables that are assigned None somewhere."""
    found = _Assignments()
    tree.wrapper.module.visit(found)
    return frozenset(
        tree.code_of(target) for target, value in found.pairs if isinstance(value, cst.Name) and value.value == "None"
    )


class _Assignments(cst.CSTVisitor):
    """Every assignment: target and value."""

    def __init__(self) -> None:
        self.pairs: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign):
            self.pairs += [(target.target, node.value) for target in node.targets]
        return True
