"""The tape of a write that torch refuses on the spot."""

from __future__ import annotations

from dataclasses import replace

import torch

from inplace_lsp.tape.autograd import NO_SHARED_OPERAND, find_rejection
from inplace_lsp.tape.model import ALWAYS, NEVER, Actor, Tape, Write
from inplace_lsp.worker.heap import Heap
from inplace_lsp.worker.naming import Arguments, Named, TorchFunction, op_name, read_operands, written_candidates
from inplace_lsp.worker.places import Places
from inplace_lsp.worker.recording import Recording, tensors_in
from inplace_lsp.worker.writes import has_overlap


def build_refused_tape(
    code: Places, func: TorchFunction, args: Arguments, kwargs: Named, error: RuntimeError
) -> Tape | None:
    """Build the tape of the refused call; None if it was not refused for a write in place."""
    recording = Recording(code, Heap())
    recording.op = op_name(func)
    needs = ALWAYS if any(tensor.requires_grad for tensor in tensors_in((args, kwargs))) else NEVER
    others = list(tensors_in(read_operands(args, kwargs)))
    for tensor, op in written_candidates(func, args, kwargs):
        if not isinstance(tensor, torch.Tensor):
            continue
        shared = any(has_overlap(tensor, other, whole=op in NO_SHARED_OPERAND) for other in others)
        write = recording.build_write(tensor, op, needs, overlap=shared)
        if find_rejection(write) is not None:
            return Tape("<module>", (_mark_refused(write),), f"{type(error).__name__}: {error}")
    return None


def find_writer(code: Places) -> tuple[Actor, str]:
    """Return who writes now, and what a library's call that acts on its own account is named."""
    return Recording(code, Heap()).find_writer()


def _mark_refused(write: Write) -> Write:
    return replace(write, version_after=write.tensor.version, refused=True)
