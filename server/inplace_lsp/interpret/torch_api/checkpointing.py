"""Activation checkpointing: save the inputs of a function, and run the function again at backward."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.autograd.recorder import RecomputedSave, Recorder
from inplace_lsp.interpret.autograd.walks import find_reachable
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Node, Tensor, Value, is_false
from inplace_lsp.tape.model import NEVER, Create, Save, When, Write


@intrinsic(
    "torch.utils.checkpoint.checkpoint(function, *args, use_reentrant=None, context_fn=None, "
    "determinism_check='default', debug=False, early_stop=True, **kwargs)",
    context_fn="contexts of the user's around the computation do not change what is kept",
    determinism_check="what raises ends the program",
    debug="it says what is printed",
)
def _call_checkpointed_function(
    machine: Machine,
    function: Value,
    args: Items,
    use_reentrant: Value,
    early_stop: Value,
    kwargs: Mapping,
    text: str,
) -> Value:
    """Call the function; its inputs are saved instead of what its ops save."""
    recorder = machine.recorder
    own = {str(name): value for name, value in kwargs.items.items() if name != "preserve_rng_state"}
    given = ops.tensors_in(recorder, args)
    reentrant = isinstance(use_reentrant, Known) and (use_reentrant.value is None or bool(use_reentrant.value))
    if reentrant and not recorder.needs_grad(given):  # it is a custom Function: no gradient but by its inputs
        with recorder.set_grad_mode(False):
            return machine.call(function, args.items, own, text)
    inputs = _keep_inputs(machine, given) if recorder.grad_mode and not reentrant else None
    start, before = len(recorder.events), recorder.newest
    recorder.hiding += not reentrant
    try:
        with _noting_saves(recorder) as saves:
            result = machine.call(function, args.items, own, text)
    finally:
        recorder.hiding -= not reentrant
    results = ops.tensors_in(recorder, result)
    again = _Recomputation(recorder, start, given, stops_early=not is_false(early_stop))
    if reentrant and recorder.grad_mode:
        _walk_at_once(machine, results, given, before)
        again.save_surroundings(saves)
    elif not reentrant:
        again.expose_changes(saves)
    nodes = [tensor.node for tensor in results if tensor.node is not None]
    if inputs is not None:
        _connect_inputs(inputs, nodes)
        recorder.set_needs_of_saves(inputs)
    else:  # a reentrant checkpoint is a custom Function, which saves its inputs when it is done
        for node in nodes:
            _save_inputs(machine, node, given, node.when)
    return result


@contextmanager
def _noting_saves(recorder: Recorder) -> Iterator[list[RecomputedSave]]:
    """Note what is saved in the block, apart from a checkpoint around it."""
    around, recorder.recomputed = recorder.recomputed, []
    try:
        yield recorder.recomputed
    finally:
        recorder.recomputed = around


class _Recomputation:
    """The computation that a checkpoint repeats at backward, from the events since `start`.

    It reads the inputs, which torch checks, and values from outside the function, which it does not check. The function
    creates its own values again, and repeats writes after the saves before them, also without a check. The last save
    ends the computation (`stops_early`), so that later writes are not repeated.
    """

    def __init__(self, recorder: Recorder, start: int, given: Sequence[Tensor], *, stops_early: bool) -> None:
        self._recorder = recorder
        events = recorder.events
        self._checked = {tensor.storage.id for tensor in given}
        self._made = {event.tensor.storage for event in events[start:] if isinstance(event, Create)}
        last = max((at for at in range(start, len(events)) if isinstance(events[at], Save)), default=start)
        self._end = last if stops_early else len(events)

    def save_surroundings(self, saves: Sequence[RecomputedSave]) -> None:
        """Save the values from before the function that it reads, since it reads them again."""
        for read in filter(self._is_surrounding, saves):
            self._recorder.save_again(read)

    def expose_changes(self, saves: Sequence[RecomputedSave]) -> None:
        """Save the memory that is read again if other code, or the function itself, may change it."""
        for read in saves:
            if self._is_surrounding(read) or self._is_overwritten(read):
                self._recorder.expose_save(read)

    def _is_surrounding(self, read: RecomputedSave) -> bool:
        return read.saved.storage.id not in self._checked | self._made

    def _is_overwritten(self, read: RecomputedSave) -> bool:
        behind = self._recorder.events[read.saved.at : self._end]
        memory = read.saved.storage.id
        return memory in self._made and any(
            isinstance(event, Write) and event.tensor.storage == memory for event in behind
        )


def _walk_at_once(machine: Machine, results: Sequence[Tensor], given: Sequence[Tensor], before: int) -> None:
    """Walk back through the graph between the results and the tensor `before`, as a reentrant checkpoint does after it
    has run the function again: later writes do not touch the repeated results."""
    recorder = machine.recorder
    trained = set(recorder.trained)
    recorder.run_backward(results, retain=True, assumed=True, inputs=given)
    recorder.trained = trained
    nodes, _ = find_reachable([tensor.node for tensor in results if tensor.node is not None])
    for node in nodes:
        if node.id > before:
            node.saves.clear()


def _connect_inputs(inputs: Node, nodes: Sequence[Node]) -> None:
    """Let the backward of the results reach the node that keeps the inputs."""
    for node in nodes:
        inputs.when = inputs.when | node.when
        node.edges.append(inputs)


def _keep_inputs(machine: Machine, given: list[Tensor]) -> Node:
    """Return a node that saves the inputs before the function, which may write to them, runs."""
    node = machine.recorder.new_node("checkpoint", given, NEVER)
    _save_inputs(machine, node, given, NEVER)
    return node


def _save_inputs(machine: Machine, node: Node, given: list[Tensor], when: When) -> None:
    for tensor in given:
        machine.recorder.save_tensor(node, tensor, "checkpoint", "input", when)
