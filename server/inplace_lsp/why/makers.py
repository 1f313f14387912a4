"""Find the node that torch would name as the maker of a tensor.

Source: `SavedVariable::unpack` in torch/csrc/autograd/saved_variable.cpp. For a result it names the node that saved it.
For an input it names the tensor's node at the time of the backward, which is that of the last write; releases before
1.9 named its node at the time of the save. A view whose memory was written gets a new node, `AsStrided`; a tensor that
was written through a view has `CopySlices`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inplace_lsp.hazards.wording import name_tensor
from inplace_lsp.tape.model import Create, Save, Span, Tape, TensorState, View, ViewKind, Write
from inplace_lsp.torch_ops.nodes import is_observed, nodes_of

AS_STRIDED, COPY_SLICES = "asstrided", "copyslices"
_VIEWS = frozenset({"t", "view", "transpose", "permute", "unsqueeze", "squeeze", "expand", "slice", "select"})
_NOT_KNOWN = frozenset({"input", "unknown", "grad", "deepcopy"})
"""Ops on the tape that do not say which node made a tensor."""
KEPT_AS = frozenset({"t", "transpose", "permute", AS_STRIDED})
"""The nodes of a weight that an op keeps transposed, in all releases."""
_KEPT_TURNED = frozenset({("linear", "weight")})
"""Arguments that an op always keeps as a transposed view: torch never names the tensor itself."""


@dataclass(frozen=True, slots=True)
class Maker:
    """See the fields of the same names in Clue."""

    nodes: frozenset[str] | None
    bare: bool = False
    words: str = ""
    output: int | None = None
    turned: bool = False


def is_known(op: str) -> bool:
    """Return whether the op's node has a name: no stand-in for what is not in sight ("a layer"), no whole module
    (`LSTM`)."""
    is_module = len(op) > 2 and op[0].isupper()
    return op.isidentifier() and op not in _NOT_KNOWN and not is_module


def find_maker_of_saved(tape: Tape, save: Save, writes: Iterable[Write]) -> Maker:
    """Return the maker of what `save` kept, after the `writes` between it and the backward."""
    if save.role.startswith(("result", "output")):
        return _find_maker_of_result(save)
    tensor = save.tensor
    if not tensor.requires_grad:
        return _find_maker_of_plain(tensor, writes)
    if not is_known(save.op) or not is_observed(save.op):  # what it does inside is not known
        return Maker(None, bare=True, words=_describe_leaf(tensor))
    if tensor.leaf:
        return _find_maker_of_leaf(save)
    made = find_maker(tape, tensor)
    if made.nodes is None:
        return made
    return Maker(
        made.nodes | _find_nodes_of_kept_view(save) | _find_nodes_after_writes(tensor, writes),
        False,
        made.words,
        made.output,
    )


def _find_maker_of_plain(tensor: TensorState, writes: Iterable[Write]) -> Maker:
    """Return the maker of a tensor that required no grad when it was saved; later writes may have given it a node."""
    made = _find_nodes_after_writes(tensor, [write for write in writes if write.grad_mode and write.needs_grad])
    words = f"what is written into {name_tensor(tensor)} has a graph" if made else ""
    return Maker(made, bare=not made, words=words)


def _find_maker_of_leaf(save: Save) -> Maker:
    turned = _is_kept_transposed(save)
    words = f"`{save.op}` keeps a transposed view of its {save.role}" if turned else _describe_leaf(save.tensor)
    return Maker(_find_nodes_of_kept_view(save), bare=not turned, words=words, turned=turned)


def _find_nodes_of_kept_view(save: Save) -> frozenset[str]:
    """Return the nodes that torch may name if the op keeps a view of its argument."""
    inner = nodes_of(save.op).inner & _VIEWS
    return frozenset({*inner, AS_STRIDED, *(KEPT_AS if _is_kept_transposed(save) else ())}) if inner else frozenset()


def _is_kept_transposed(save: Save) -> bool:
    return (save.op, save.role) in _KEPT_TURNED


def _describe_leaf(tensor: TensorState) -> str:
    return f"`{tensor.name}` is a leaf" if tensor.leaf and tensor.name else ""


def _find_maker_of_result(save: Save) -> Maker:
    digits = save.role.removeprefix("result").removeprefix("output")
    nodes = nodes_of(save.op).outer if is_known(save.op) else None
    return Maker(
        nodes,
        words=f"it is the result of `{save.op}` on line {save.span.row}",
        output=int(digits) if digits.isdecimal() else 0,
    )


def _find_nodes_after_writes(tensor: TensorState, writes: Iterable[Write]) -> frozenset[str]:
    """Return the nodes that the tensor may have once it was written."""
    writes = list(writes)
    if tensor.base is not None and writes:
        return frozenset({AS_STRIDED})
    found: set[str] = set()
    for write in writes:
        if write.grad_mode and write.needs_grad:
            found |= nodes_of(write.op).outer if write.tensor.id == tensor.id else {COPY_SLICES}
    return frozenset(found)


def find_maker(tape: Tape, tensor: TensorState) -> Maker:
    """Return the node that made `tensor`, or wrote it last, as far as the tape tells."""
    made = tape.origins.get(tensor.id)
    if tensor.leaf and not (isinstance(made, View) and tensor.base is not None):
        return Maker(frozenset(), bare=True)
    if made is None or not is_known(made.op) or tensor.view is ViewKind.CUSTOM:
        return Maker(None)
    nodes = nodes_of(made.op).outer | _find_writer_nodes(tape, tensor)
    if isinstance(made, View):
        nodes |= {AS_STRIDED}
    return Maker(nodes, words=f"`{made.op}` on line {made.span.row} made it", output=_find_output_number(tape, made))


def _find_writer_nodes(tape: Tape, tensor: TensorState) -> frozenset[str]:
    """Return the nodes of the writes to the tensor before the state `tensor`."""
    found: set[str] = set()
    for _, write in tape.events_of(Write):
        same = write.tensor.counter == tensor.counter
        if same and write.tensor.version < tensor.version and write.grad_mode and write.needs_grad:
            found |= nodes_of(write.op).outer if write.tensor.id == tensor.id else {COPY_SLICES}
    return frozenset(found)


def _find_output_number(tape: Tape, made: Create | View) -> int | None:
    """Return which of its op's outputs it is: views that one op made at once are adjacent on the tape."""
    if isinstance(made, Create) or made.tensor.view is not ViewKind.MULTI_OUTPUT:
        return 0
    beside = [view for _, view in tape.events_of(View) if _call_key(view) == _call_key(made)]
    return beside.index(made) if len(beside) > 1 else None


def _call_key(view: View) -> tuple[Span, str, int]:
    return view.span, view.op, view.of.id
