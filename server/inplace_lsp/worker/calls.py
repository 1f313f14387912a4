"""Record the user's calls of torch: their results, and what torch refuses before it dispatches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch.overrides import TorchFunctionMode

from inplace_lsp.tape.autograd import DATA, DETACH, NO_SHARED_OPERAND, STALE, find_rejection
from inplace_lsp.tape.model import ALWAYS, NEVER, Create, Refusal, Reject, SetData, View, Write
from inplace_lsp.worker.exports import ARRAY, EXPORTING
from inplace_lsp.worker.graph import nodes_of, reachable_nodes
from inplace_lsp.worker.heap import share_memory
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.naming import Arguments, Named, TorchFunction, op_name, read_operands, written_candidates
from inplace_lsp.worker.recording import Recording, tensors_in
from inplace_lsp.worker.recovery import is_caught, write_out_of_place
from inplace_lsp.worker.saved_tensor import SavedTensor
from inplace_lsp.worker.writes import has_overlap


class TorchCallMode(TorchFunctionMode):  # type: ignore[misc]
    """Logs results, views, `.data =` and refusals of the torch functions that the user's code calls."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self._recording = recording

    def __torch_function__(
        self,
        func: TorchFunction,
        types: object,
        args: Arguments = (),
        kwargs: Named | None = None,
    ) -> object:
        kwargs = kwargs or {}
        if func is self._recording.dispatched:  # torch left this mode on for its own calls, as in `z.imag = ...`
            return func(*args, **kwargs)
        self._recording.end_if_late()
        outer, self._recording.op = self._recording.op, op_name(func)
        since, kept = len(self._recording.log.events), len(self._recording.kept)
        try:
            if _sets_data(func):
                return self._set_data(func, args)
            first = args[0] if args else None
            if op_name(func) == DETACH and isinstance(first, torch.Tensor):
                self._log_detach(first)
            if torch.is_inference_mode_enabled():
                result = self._without_dispatch(func, args, kwargs)
            else:
                result = func(*args, **kwargs)
        except RuntimeError as error:
            with modes_off(grad=True):
                refused = self._note_refusal(func, args, kwargs, since)
            if not refused or not self._may_go_on():
                raise
            result = self._write_out_of_place(func, args, kwargs, refused, error)
        finally:
            self._recording.op = outer
        with modes_off():
            self._note_results(func, result, args, kwargs)
            self._assign_saves(self._recording.kept[kept:], since)
        return result

    def _may_go_on(self) -> bool:
        """Return whether the run goes on here although torch refuses a write: the program does not catch the error."""
        return self._recording.goes_on and not is_caught(self._recording.places.own_frames())

    def _write_out_of_place(
        self,
        func: TorchFunction,
        args: Arguments,
        kwargs: Named,
        refused: Sequence[torch.Tensor],
        error: RuntimeError,
    ) -> object:
        """Do a refused write where nothing but the written names sees it, and go on. Raise if that is impossible."""
        recording = self._recording
        with modes_off():
            try:
                result = write_out_of_place(func, args, kwargs, refused)
            except RuntimeError:
                raise error from None
            for tensor in refused:
                recording.state_of(tensor)  # it lies elsewhere now
            recording.log.note_survived()
        recording.first_error = recording.first_error or error
        return result

    def _assign_saves(self, kept: list[SavedTensor], since: int) -> None:
        """Assign the new saves to the node of a written view: that node lies inside the base's new history."""
        writes = [event for event in self._recording.log.events[since:] if isinstance(event, Write)] if kept else []
        _refresh_filled_saves(kept, writes)
        for tensor in (write.tensor for write in writes):
            base = None if tensor.base is None else self._recording.heap.find_tensor(tensor.base)
            node = None if base is None else base.grad_fn
            if node is not None and "CopySlices" in node.name() and node not in self._recording.inner:
                self._recording.inner[node] = [save for save in kept if save.node is None]

    def _note_results(self, func: TorchFunction, result: object, args: Arguments, kwargs: Named) -> None:
        """Log the new tensors, and watch memory that other libraries can now write."""
        recording, name = self._recording, op_name(func)
        recording.settle_log()
        recording.hooks_gradients = recording.hooks_gradients or name == "register_hook"
        if name in EXPORTING and args and isinstance(args[0], torch.Tensor):
            recording.exports.watch_memory(args[0], EXPORTING[name])
        fresh = (
            [tensor for tensor in tensors_in(result) if not recording.heap.knows_tensor(tensor)]
            if _may_hold_tensors(result)
            else []
        )
        sources = list(tensors_in((args, kwargs))) if fresh else []
        for source in sources:
            recording.learn_name(source)
        for new in fresh:
            self._log_new(new, sources, name, func)

    def _log_new(self, tensor: torch.Tensor, sources: list[torch.Tensor], name: str, func: TorchFunction) -> None:
        recording = self._recording
        of = next((source for source in sources if source is not tensor and share_memory(source, tensor)), None)
        state = recording.heap.state_of(tensor)
        if of is None:
            recording.log.add(Create(recording.current_span(), state, name))
            if name == "as_tensor":
                recording.exports.watch_memory(tensor, ARRAY)
            return
        kind = DATA if _gets_data(func) else recording.aliases.get(recording.heap.state_of(of).id, "")
        if kind:
            recording.aliases[state.id] = kind
        recording.log.add(
            View(recording.current_span(), state, recording.state_of(of), DATA if _gets_data(func) else name)
        )

    def _set_data(self, func: TorchFunction, args: Arguments) -> object:
        """Run `tensor.data = value`: it swaps the memory, which is a silent write to the old contents."""
        recording, (tensor, value) = self._recording, args
        with modes_off():
            recording.settle_log()
            span, call = recording.places.current_statement()
            before, other = recording.state_of(tensor), recording.state_of(value)
        result = func(*args)
        grad_mode = torch.is_grad_enabled()
        with modes_off():
            of_gradient = not recording.gradients.isdisjoint(reachable_nodes(nodes_of(value)))
            recording.log.add(SetData(span, before, other, grad_mode, of_gradient, _is_step(tensor, value)))
            recording.log.add(
                Write(span, before, "data", before.version, grad_mode, needs_grad=NEVER, call=call, alias=DATA)
            )
            recording.state_of(tensor)
        return result

    def _without_dispatch(self, func: TorchFunction, args: Arguments, kwargs: Named) -> object:
        """Run a call under inference mode without the dispatch mode, which would cost composed ops their views; find
        writes by the op's name instead."""
        with modes_off(grad=True):
            self._recording.settle_log()
            drafts = [
                (write, tensor)
                for write, tensor in self._draft_writes(func, args, kwargs)
                if self._recording.heap.knows_memory(tensor)
            ]
        with torch._C._DisableTorchDispatch():
            result = func(*args, **kwargs)
        for write, tensor in drafts:
            self._recording.log.add_write(replace(write, refused=False), tensor)
            self._recording.exports.refresh_content(write.tensor.storage)
        return result

    def _draft_writes(
        self, func: TorchFunction, args: Arguments, kwargs: Named
    ) -> Iterator[tuple[Write, torch.Tensor]]:
        """Yield the writes of a call as far as its name tells."""
        operands = list(tensors_in((args, kwargs)))
        needs = ALWAYS if any(operand.requires_grad for operand in operands) else NEVER
        others = list(tensors_in(read_operands(args, kwargs)))
        for tensor, op in written_candidates(func, args, kwargs):
            shared = any(has_overlap(tensor, other, whole=op in NO_SHARED_OPERAND) for other in others)
            yield self._recording.build_write(tensor, op, needs, overlap=shared), tensor

    def _log_detach(self, tensor: torch.Tensor) -> None:
        """Log `tensor.detach_()`, which torch neither dispatches nor counts as a version."""
        if tensor._is_view() or torch.is_inference_mode_enabled():
            return  # refused; without any effect
        recording = self._recording
        with modes_off(grad=True):
            recording.settle_log()
            write = recording.build_write(tensor, DETACH, NEVER)
            recording.log.add(replace(write, version_after=write.tensor.version, refused=False))

    def _note_refusal(self, func: TorchFunction, args: Arguments, kwargs: Named, since: int) -> list[torch.Tensor]:
        """Log why torch raised, if the reason belongs on the tape. Return what it refused to write."""
        recording = self._recording
        if any(isinstance(event, Write) and event.refused for event in recording.log.events[since:]):
            return [tensor for tensor, _ in written_candidates(func, args, kwargs)]
        operands = list(tensors_in((args, kwargs)))
        needy = next((operand for operand in operands if operand.requires_grad), None)
        records_grad = needy is not None and torch.is_grad_enabled()
        if kwargs.get("out") is not None and needy is not None and records_grad:
            state = recording.state_of(needy)
            recording.log.add(Reject(recording.current_span(), state, op_name(func), Refusal.OUT_REQUIRES_GRAD))
            return list(tensors_in(kwargs["out"]))
        for write, tensor in self._draft_writes(func, args, kwargs):
            if find_rejection(write) is not None:
                recording.log.mark_refused(since)
                if not any(isinstance(event, Write) and event.refused for event in recording.log.events[since:]):
                    recording.log.add(replace(write, refused=True))
                return [tensor]
        self._note_rejected_operand(op_name(func), operands, records_grad)
        return []

    def _note_rejected_operand(self, op: str, operands: list[torch.Tensor], records_grad: bool) -> None:
        """Log an operand that can no longer be used, or cannot be saved."""
        recording, span = self._recording, self._recording.current_span()
        stale = next((operand for operand in operands if _is_stale(operand)), None)
        if stale is not None:
            state = recording.state_of(stale)
            reason = STALE.get(state.view, Refusal.STALE_NO_GRAD_VIEW)
            recording.log.add(Reject(span, state, op, reason))
            return
        inference = next((operand for operand in operands if operand.is_inference()), None)
        if inference is not None and records_grad:
            recording.log.add(Reject(span, recording.state_of(inference), op, Refusal.INFERENCE_SAVED))


def _refresh_filled_saves(kept: list[SavedTensor], writes: list[Write]) -> None:
    """Refresh the contents of saves that the op itself filled, unseen by the counter (the noise of `rrelu`)."""
    silent = {write.tensor.storage for write in writes if write.version_after == write.tensor.version}
    for save in kept:
        if save.state.storage in silent:
            save.content = save.alias.clone()


def _is_stale(tensor: torch.Tensor) -> bool:
    """Return whether `tensor` is a view whose history torch can no longer rebuild: asking for it raises."""
    try:
        tensor.grad_fn  # noqa: B018
    except RuntimeError:
        return True
    return False


def _is_step(leaf: object, value: object) -> bool:
    """Return whether a parameter, or a leaf that has its gradient, is the only one that `value` was computed from."""
    if not isinstance(leaf, torch.Tensor) or not isinstance(value, torch.Tensor):
        return False
    if not leaf.is_leaf or (leaf.grad is None and not isinstance(leaf, torch.nn.Parameter)):
        return False
    reached = (getattr(node, "variable", None) for node in reachable_nodes(nodes_of(value)))
    return {id(found) for found in reached if found is not None} == {id(leaf)}


def _sets_data(func: TorchFunction) -> bool:
    return getattr(func, "__name__", "") == "__set__" and op_name(func) == "data"


def _gets_data(func: TorchFunction) -> bool:
    return getattr(func, "__name__", "") == "__get__" and op_name(func) == "data"


def _may_hold_tensors(result: object) -> bool:
    return isinstance(result, (torch.Tensor, tuple, list))
