"""A write that torch refuses on the spot, told as a tape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from inplace_lsp.tape.autograd import NO_SHARED_OPERAND, rejection
from inplace_lsp.tape.model import ALWAYS, NEVER, Actor, Tape, Write
from inplace_lsp.worker.heap import Heap
from inplace_lsp.worker.naming import candidates, only_read
from inplace_lsp.worker.places import Places
from inplace_lsp.worker.session import Session, tensors_in
from inplace_lsp.worker.writes import overlap


def tape(code: Places, func: Any, args: Any, kwargs: Any, error: RuntimeError) -> Tape | None:
    """The tape of the refused call; None if it was not refused for a write in place."""
    session = Session(code, Heap())
    needs = ALWAYS if any(one.requires_grad for one in tensors_in((args, kwargs))) else NEVER
    others = list(tensors_in(only_read(args, kwargs)))
    for tensor, op in candidates(func, args, kwargs):
        if not isinstance(tensor, torch.Tensor):
            continue
        shared = any(overlap(tensor, one, whole=op in NO_SHARED_OPERAND) for one in others)
        write = session.write(tensor, op, needs, overlap=shared)
        if rejection(write) is not None:
            return Tape("<module>", (_marked(write),), f"{type(error).__name__}: {error}")
    return None


def by_a_library(code: Places) -> bool:
    """Whether an optimizer or a module writes now on its own account."""
    return Session(code, Heap()).actor() is Actor.STEP


def _marked(write: Write) -> Write:
    return replace(write, version_after=write.tensor.version, refused=True)
