"""Record every op that writes in place, as torch dispatches it: writes inside libraries and composed ops included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import torch
from torch.autograd.graph import increment_version
from torch.utils._python_dispatch import TorchDispatchMode

from inplace_lsp.tape.autograd import NO_SHARED_OPERAND, Rejection, find_rejection
from inplace_lsp.tape.model import ALWAYS, NEVER, Write
from inplace_lsp.worker.ignored_writes import IgnoredWrites
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.naming import Arguments, Named
from inplace_lsp.worker.recording import Recording, tensors_in

if TYPE_CHECKING:
    from torch._ops import OpOverload

_OURS = __name__.rpartition(".")[0] + "."
_INFERENCE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed."
    "You can make a clone to get a normal tensor before doing inplace update."
    "See https://github.com/pytorch/rfcs/pull/17 for more details."
)
"""torch's own words (`VariableVersion::bump`): the recorded run ends as the plain one does."""


class WriteMode(TorchDispatchMode):  # type: ignore[misc]
    """Logs each write with the facts as they are before it, and each one that a kernel refuses because of overlap.

    Three things are different in torch while such a mode is on, and are made good here: `_foreach_*_` ops bump no
    versions; a zero tensor without memory, as some derivatives return it, crashes the ops it is given to; a composed op
    may write an inference tensor, since its parts are run below the place that refuses them.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Refuse torch's wrapper that keeps `__torch_dispatch__` from being compiled: it would import the compiler."""
        return False

    def __init__(self, recording: Recording, ignored_writes: IgnoredWrites) -> None:
        super().__init__()
        self._recording = recording
        self._ignored_writes = ignored_writes

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: object,
        args: Arguments = (),
        kwargs: Named | None = None,
    ) -> object:
        kwargs = kwargs or {}
        with modes_off(grad=True):
            drafts = self._draft_writes(func, args, kwargs)
            if drafts and func.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd):
                self._refuse_inference(drafts)
        with modes_off():
            ignored_writes = [self._ignored_writes.draft_write(write, tensor, args) for write, tensor in drafts]
        args = tuple(_with_memory(arg) for arg in args)
        outer, self._recording.dispatched = self._recording.dispatched, func
        try:
            result = func(*args, **kwargs)
        except RuntimeError:
            with modes_off(grad=True):
                self._log_overlap_refusals(drafts or self._draft_user_writes(func, args, kwargs))
            raise
        finally:
            self._recording.dispatched = outer
        with modes_off():
            self._ignored_writes.note_shifted_value(func, args, result)
            if func._schema.name.startswith("aten::_foreach_"):
                for tensor in written_by(func, args, kwargs):
                    increment_version(tensor)
            for (write, tensor), draft in zip(drafts, ignored_writes, strict=True):
                if draft is not None:
                    self._ignored_writes.note_write(draft)
                self._recording.log.add_write(replace(write, refused=False), tensor)
                self._recording.exports.refresh_content(write.tensor.storage)
        return result

    def _draft_user_writes(self, func: OpOverload, args: Arguments, kwargs: Named) -> list[tuple[Write, torch.Tensor]]:
        """Return the writes of an op that the user calls on tensors not seen before: gradients in a backward."""
        frames = self._recording.places.library_frames()
        direct = all(str(frame.f_globals.get("__name__")).startswith(_OURS) for frame in frames)
        return self._draft_writes(func, args, kwargs, known=False) if direct else []

    def _draft_writes(
        self, func: OpOverload, args: Arguments, kwargs: Named, *, known: bool = True
    ) -> list[tuple[Write, torch.Tensor]]:
        self._recording.settle_log()
        written = [
            tensor
            for tensor in written_by(func, args, kwargs)
            if not known or self._recording.heap.knows_memory(tensor)
        ]
        if not written:
            return []
        needs = ALWAYS if any(tensor.requires_grad for tensor in tensors_in((args, kwargs))) else NEVER
        name = _write_name(func)
        others = list(read_by(func, args, kwargs))
        whole = name in NO_SHARED_OPERAND
        shared = [any(has_overlap(tensor, other, whole=whole) for other in others) for tensor in written]
        return [
            (self._recording.build_write(tensor, name, needs, overlap=at), tensor)
            for tensor, at in zip(written, shared, strict=True)
        ]

    def _refuse_inference(self, drafts: list[tuple[Write, torch.Tensor]]) -> None:
        """Raise as torch does where an inference tensor is written outside inference mode."""
        for write, _ in drafts:
            found = find_rejection(write)
            if found is not None and found[0] is Rejection.INFERENCE:
                self._recording.log.add(replace(write, refused=True))
                raise RuntimeError(_INFERENCE)

    def _log_overlap_refusals(self, drafts: list[tuple[Write, torch.Tensor]]) -> None:
        for write, _ in drafts:
            found = find_rejection(write)
            if found is not None and found[0] is Rejection.OVERLAP:
                self._recording.log.add(replace(write, refused=True))


def _write_name(func: OpOverload) -> str:
    """Return the op's name. `fill_` with a tensor, as in `x[i] = 0`, is a copy; with a number it allows overlap."""
    if func is torch.ops.aten.fill_.Tensor:
        return "copy_"
    return str(func._schema.name.split("::")[-1])


def _with_memory(argument: object) -> object:
    """Return `argument` with memory of its own if it is a zero tensor without any."""
    if isinstance(argument, torch.Tensor) and argument._is_zerotensor():
        return argument.clone()
    return argument


def written_by(func: OpOverload, args: Arguments, kwargs: Named) -> Iterator[torch.Tensor]:
    """Return the arguments that the op's schema says are written."""
    return _schema_operands(func, args, kwargs, written=True)


def read_by(func: OpOverload, args: Arguments, kwargs: Named) -> Iterator[torch.Tensor]:
    """Return the arguments that the op's schema says are only read."""
    return _schema_operands(func, args, kwargs, written=False)


def _schema_operands(func: OpOverload, args: Arguments, kwargs: Named, *, written: bool) -> Iterator[torch.Tensor]:
    for at, name, positional in _parameters(func, written):
        value = args[at] if positional and at < len(args) else kwargs.get(name)
        yield from tensors_in(value)


@cache
def _parameters(func: OpOverload, written: bool) -> tuple[tuple[int, str, bool], ...]:
    """Return position and name of the parameters that an op writes, or only reads, and whether it may be positional."""
    return tuple(
        (at, argument.name, not argument.kwarg_only)
        for at, argument in enumerate(func._schema.arguments)
        if written == (argument.alias_info is not None and argument.alias_info.is_write)
    )


def has_overlap(written: torch.Tensor, other: torch.Tensor, *, whole: bool) -> bool:
    """Return whether both share memory and, unless `whole`, are not the same piece of it: `get_overlap_status`."""
    if written is other:
        return whole
    if not written.numel() or not other.numel():
        return False
    try:
        same_memory = written.untyped_storage()._cdata == other.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):
        return False
    if not same_memory or not (_is_dense(written) and _is_dense(other)):
        return False
    mine, theirs = _byte_range(written), _byte_range(other)
    if mine == theirs and written.stride() == other.stride():
        return whole
    return mine[0] < theirs[1] and theirs[0] < mine[1]


def _is_dense(tensor: torch.Tensor) -> bool:
    """Return whether the elements fill their memory without holes, in any order of dimensions."""
    return bool(torch.ops.aten.is_non_overlapping_and_dense(tensor))


def _byte_range(tensor: torch.Tensor) -> tuple[int, int]:
    start = tensor.storage_offset() * tensor.element_size()
    return start, start + tensor.numel() * tensor.element_size()
