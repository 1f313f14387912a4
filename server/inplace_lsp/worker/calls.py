"""The user's calls of torch as they are made: what they return, and what torch refuses before it dispatches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from inplace_lsp.tape.autograd import DATA, NO_SHARED_OPERAND, STALE, rejection
from inplace_lsp.tape.model import ALWAYS, NEVER, Create, Refusal, Reject, SetData, View, Write
from inplace_lsp.worker.exports import EXPORTING
from inplace_lsp.worker.graph import nodes_of, reachable
from inplace_lsp.worker.heap import share_memory
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.naming import candidates, only_read, op_name
from inplace_lsp.worker.saves import Kept
from inplace_lsp.worker.session import Session, tensors_in
from inplace_lsp.worker.writes import overlap


class Calls(TorchFunctionMode):  # type: ignore[misc]
    """Logs results, views, `.data =` and refusals of the torch functions that the user's code calls."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is self._session.dispatched:  # torch left this mode on for its own calls, as in `z.imag = ...`
            return func(*args, **kwargs)
        outer, self._session.op = self._session.op, op_name(func)
        since, kept = len(self._session.log.events), len(self._session.kept)
        try:
            if _sets_data(func):
                return self._set_data(func, args)
            if op_name(func) == "detach_" and not args[0]._is_view():
                self._cut_off(args[0])
            if torch.is_inference_mode_enabled():
                result = self._without_dispatch(func, args, kwargs)
            else:
                result = func(*args, **kwargs)
        except RuntimeError:
            with modes_off(grad=True):
                self._refused(func, args, kwargs, since)
            raise
        finally:
            self._session.op = outer
        with modes_off():
            self._made(func, result, args, kwargs)
            self._adopt(self._session.kept[kept:], since)
        return result

    def _adopt(self, kept: list[Kept], since: int) -> None:
        """Note whose saves these are if the op wrote a view: its node lies inside the new history of the base."""
        writes = [event for event in self._session.log.events[since:] if isinstance(event, Write)] if kept else []
        _fill_in(kept, writes)
        for one in (write.tensor for write in writes):
            base = None if one.base is None else self._session.heap.tensor(one.base)
            node = None if base is None else base.grad_fn
            if node is not None and "CopySlices" in node.name() and node not in self._session.inner:
                self._session.inner[node] = [each for each in kept if each.node is None]

    def _made(self, func: Any, result: Any, args: Any, kwargs: Any) -> None:
        """Log the tensors that are new, and note the ways by which memory leaves torch's sight."""
        session, name = self._session, op_name(func)
        session.settle()
        if name in EXPORTING and args and isinstance(args[0], torch.Tensor):
            session.exports.watch(args[0], EXPORTING[name])
        fresh = [one for one in tensors_in(result) if not session.heap.knows_tensor(one)] if _plain(result) else []
        sources = list(tensors_in((args, kwargs))) if fresh else []
        for one in sources:
            session.learn_name(one)
        for one in fresh:
            self._log_new(one, sources, name, func)

    def _log_new(self, tensor: torch.Tensor, sources: list[torch.Tensor], name: str, func: Any) -> None:
        session = self._session
        of = next((one for one in sources if one is not tensor and share_memory(one, tensor)), None)
        state = session.heap.state(tensor)
        if of is None:
            session.log.add(Create(session.here(), state, name))
            if name == "as_tensor":
                session.exports.watch(tensor, "the numpy array")
            return
        kind = DATA if _gets_data(func) else session.aliases.get(session.heap.state(of).id, "")
        if kind:
            session.aliases[state.id] = kind
        session.log.add(View(session.here(), state, session.state(of), DATA if _gets_data(func) else name))

    def _set_data(self, func: Any, args: Any) -> Any:
        """`tensor.data = value`: a swap of memory, and as such a silent write to what was there."""
        session, (tensor, value) = self._session, args
        with modes_off():
            session.settle()
            span, call = session.places.here()
            before, other = session.state(tensor), session.state(value)
        result = func(*args)
        grad_mode = torch.is_grad_enabled()
        with modes_off():
            of_gradient = not session.gradients.isdisjoint(reachable(nodes_of(value)))
            session.log.add(SetData(span, before, other, grad_mode, of_gradient))
            session.log.add(
                Write(span, before, "data", before.version, grad_mode, needs_grad=NEVER, call=call, alias=DATA)
            )
            session.state(tensor)
        return result

    def _without_dispatch(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Under inference mode a dispatch mode would cost composed ops their views: writes are told by their names."""
        with modes_off(grad=True):
            self._session.settle()
            drafts = [(write, one) for write, one in self._drafts(func, args, kwargs) if self._session.heap.knows(one)]
        with torch._C._DisableTorchDispatch():
            result = func(*args, **kwargs)
        for write, tensor in drafts:
            self._session.log.add_write(replace(write, refused=False), tensor)
            self._session.exports.refresh(write.tensor.storage)
        return result

    def _drafts(self, func: Any, args: Any, kwargs: Any) -> Iterator[tuple[Write, torch.Tensor]]:
        """The writes that a call amounts to, as far as its name tells."""
        operands = list(tensors_in((args, kwargs)))
        needs = ALWAYS if any(one.requires_grad for one in operands) else NEVER
        others = list(tensors_in(only_read(args, kwargs)))
        for tensor, op in candidates(func, args, kwargs):
            shared = any(overlap(tensor, one, whole=op in NO_SHARED_OPERAND) for one in others)
            yield self._session.write(tensor, op, needs, overlap=shared), tensor

    def _cut_off(self, tensor: torch.Tensor) -> None:
        """`tensor.detach_()`: torch does not dispatch it, and no version tells of it."""
        session = self._session
        with modes_off(grad=True):
            session.settle()
            write = session.write(tensor, "detach_", NEVER)
            session.log.add(replace(write, version_after=write.tensor.version, refused=False))

    def _refused(self, func: Any, args: Any, kwargs: Any, since: int) -> None:
        """torch has raised: find out for which of its reasons, if it is one of those that belong on the tape."""
        session = self._session
        if any(isinstance(one, Write) and one.refused for one in session.log.events[since:]):
            return
        operands = list(tensors_in((args, kwargs)))
        needy = next((one for one in operands if one.requires_grad), None)
        recording = needy is not None and torch.is_grad_enabled()
        if kwargs.get("out") is not None and needy is not None and recording:
            state = session.state(needy)
            session.log.add(Reject(session.here(), state, op_name(func), Refusal.OUT_REQUIRES_GRAD))
            return
        for write, _ in self._drafts(func, args, kwargs):
            if rejection(write) is not None:
                session.log.mark_refused(since)
                if not any(isinstance(one, Write) and one.refused for one in session.log.events[since:]):
                    session.log.add(replace(write, refused=True))
                return
        self._rejected(op_name(func), operands, recording)

    def _rejected(self, op: str, operands: list[torch.Tensor], recording: bool) -> None:
        """An operand that cannot be used any more, or cannot be kept."""
        session, span = self._session, self._session.here()
        stale = next((one for one in operands if _is_stale(one)), None)
        if stale is not None:
            state = session.state(stale)
            reason = STALE.get(state.view, Refusal.STALE_NO_GRAD_VIEW)
            session.log.add(Reject(span, state, op, reason))
            return
        inference = next((one for one in operands if one.is_inference()), None)
        if inference is not None and recording:
            session.log.add(Reject(span, session.state(inference), op, Refusal.INFERENCE_SAVED))


def _fill_in(kept: list[Kept], writes: list[Write]) -> None:
    """What an op saves and then fills itself, unseen by the counter (the noise of `rrelu`), is saved as filled."""
    silent = {write.tensor.storage for write in writes if write.version_after == write.tensor.version}
    for one in kept:
        if one.state.storage in silent:
            one.content = one.alias.clone()


def _is_stale(tensor: torch.Tensor) -> bool:
    """Whether `tensor` is a view whose history torch cannot tell any more: asking for it raises."""
    try:
        tensor.grad_fn  # noqa: B018
    except RuntimeError:
        return True
    return False


def _sets_data(func: Any) -> bool:
    return getattr(func, "__name__", "") == "__set__" and op_name(func) == "data"


def _gets_data(func: Any) -> bool:
    return getattr(func, "__name__", "") == "__get__" and op_name(func) == "data"


def _plain(result: Any) -> bool:
    return isinstance(result, (torch.Tensor, tuple, list))
