"""Who else holds the written tensor and would no longer see the write: what makes a repair unsafe.

Two witnesses must both be silent: the tape (other tensors on the same memory) and the source (the name handed on in a
way that leaves no trace on a tape: `z = y`, `[y]`, `keep(y)`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from inplace_lsp.fixes.candidate import Use
from inplace_lsp.fixes.scopes import is_bound_in, is_parameter
from inplace_lsp.fixes.site import Tree
from inplace_lsp.tape.model import Create, Event, Span, Tape, TensorState, View, Write


def holders(uses: Iterable[Use], tapes: Iterable[Tape]) -> list[str]:
    """What keeps the old values once the uses write no more; empty where nothing does.

    `tapes` are those of the analysis of this text.
    """
    tapes = list(tapes)
    found: list[str] = []
    for use in uses:
        name = use.tree.code(use.written) if use.written is not None else ""
        found += [f"`{one}` keeps the old values" for one in use.stale]
        found += _in_source(use.tree, use.statement, use.written)
        found += _on_tapes(use.tree.span(use.statement), name, tapes)
    return list(dict.fromkeys(found))


def _on_tapes(place: Span, name: str, tapes: Iterable[Tape]) -> Iterator[str]:
    seen = False
    for tape in tapes:
        writes = (event for event in tape.events if isinstance(event, Write) and _is_at(event, place))
        storages = {write.tensor.storage for write in writes}
        for storage in storages:
            seen = True
            yield from _sharing(storage, place, name, tape)
    if not seen:
        yield "the tape does not show what else is in this memory"


def _sharing(storage: int, place: Span, name: str, tape: Tape) -> Iterator[str]:
    made_here = False
    for event in tape.events:
        for tensor in _tensors(event):
            if tensor.storage == storage and _is_name(tensor.name) and tensor.name != name:
                yield f"`{tensor.name}` shares the memory and keeps the old values"
        made_here |= isinstance(event, Create) and event.tensor.storage == storage and not _is_assumed(event)
    if not made_here:
        yield "whoever made this tensor keeps the old values"


def _is_assumed(created: Create) -> bool:
    """Inputs of a function and results of unknown calls are not made by an op: somebody else may hold them."""
    return created.op in {"input", "parameter", "argument", "unknown", "call", "self", ""}


def _is_at(write: Write, place: Span) -> bool:
    at = write.span
    return (place.row, place.column) <= (at.row, at.column) and at.row <= place.end_row and at.file == place.file


def _tensors(event: Event) -> tuple[TensorState, ...]:
    if isinstance(event, View):
        return event.of, event.tensor
    tensor = getattr(event, "tensor", None)
    return (tensor,) if isinstance(tensor, TensorState) else ()


def _is_name(text: str) -> bool:
    return bool(text) and all(part.isidentifier() for part in text.split("."))


def _in_source(tree: Tree, statement: cst.CSTNode, written: cst.BaseExpression | None) -> Iterator[str]:
    if written is None:
        return
    if not isinstance(written, cst.Name):
        yield f"whoever took `{tree.code(written)}` before keeps the old values"
        return
    name, function = written.value, tree.function_of(statement)
    if function is not None and is_parameter(function, name):
        yield f"the caller's `{name}` no longer changes"
    if function is not None and not is_bound_in(function, name):
        yield f"`{name}` belongs to an outer scope"
    scope: cst.CSTNode = function.body if function is not None else tree.wrapper.module
    handed_on = _HandedOn(name, modules_of_torch(tree), statement)
    scope.visit(handed_on)
    for node in handed_on.places:
        yield f"`{name}` is handed on as it is on line {tree.span(node).row}"


KEEPS = frozenset({"append", "appendleft", "extend", "insert", "setdefault", "update", "put", "register_buffer"})
"""Methods of containers and modules that keep what they are given."""


class _HandedOn(cst.CSTVisitor):
    """Places where the bare name is stored or passed to somebody who might store it."""

    def __init__(self, name: str, modules: frozenset[str], besides: cst.CSTNode) -> None:
        self.name, self.modules, self.besides = name, modules, besides
        self.places: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node is self.besides:
            return False
        if isinstance(node, (cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.Element, cst.DictElement, cst.Yield)):
            self._note(node.value)
        elif isinstance(node, cst.Call) and not self._only_computes(node.func):
            for argument in node.args:
                self._note(argument.value)
        return True

    def _note(self, node: cst.CSTNode | None) -> None:
        if isinstance(node, cst.Name) and node.value == self.name:
            self.places.append(node)

    def _only_computes(self, function: cst.BaseExpression) -> bool:
        """Whether a callee by its form is an op that keeps no reference: `torch.exp`, `x.matmul`, `self.conv`, `print`."""
        if isinstance(function, cst.Name):
            return function.value in {"print", "len", "float", "int", "isinstance", "range", "id", "type"}
        if not isinstance(function, cst.Attribute) or function.attr.value in KEEPS:
            return False
        receiver = function.value
        if isinstance(receiver, cst.Name) and receiver.value == "self":
            return function.attr.value in self.modules
        while isinstance(receiver, cst.Attribute):
            receiver = receiver.value
        return not (isinstance(receiver, cst.Name) and receiver.value in {"self", "cls", "super"})


def modules_of_torch(tree: Tree) -> frozenset[str]:
    """The attributes of `self` that hold modules of torch: these keep no reference to what goes through them."""
    finder = _Modules(tree)
    tree.wrapper.module.visit(finder)
    return frozenset(finder.torch - finder.other)


class _Modules(cst.CSTVisitor):
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.torch: set[str] = set()
        self.other: set[str] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign):
            for one in node.targets:
                if isinstance(one.target, cst.Attribute) and self.tree.code(one.target.value) == "self":
                    names = self.torch if self._is_torch(node.value) else self.other
                    names.add(one.target.attr.value)
        return True

    def _is_torch(self, value: cst.BaseExpression) -> bool:
        return isinstance(value, cst.Call) and self.tree.code(value.func).startswith(("nn.", "torch.nn."))
