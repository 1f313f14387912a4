"""Which writes hit which saves: the fold that compares what an op kept with what backward finds there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from inplace_lsp.tape.autograd import is_as_made, is_checked, is_on_ctx, rejection
from inplace_lsp.tape.model import ALWAYS, Backward, Check, Save, SetData, Tape, Write
from inplace_lsp.torch_ops import table

DETACH = "detach_"


@dataclass(frozen=True, slots=True)
class Hit:
    """`write` changed what `save` had kept before `check`, a look of `backward`, needed it."""

    write: Write
    save: Save
    check: Check
    backward: Backward | None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A write and its place on the tape; `swap`: it is what an assignment to `.data` does to the memory."""

    at: int
    write: Write
    swap: bool


def loud_hits(tape: Tape) -> Iterator[Hit]:
    """Writes that torch tells of: the check finds another version than was saved, or a tensor without its history."""
    writes = _writes_by(tape, lambda write: write.tensor.counter)
    for start, end, save, check, backward in _checks(tape, lambda save: save.tensor.counter in writes):
        if not is_checked(save):
            continue
        moved = check.found_version != save.tensor.version
        for placed in writes[save.tensor.counter]:
            told = (moved and is_counted(placed.write)) or _cuts_off(placed.write, save)
            if told and start < placed.at < end and not _refused_with(placed.write, save):
                yield Hit(placed.write, save, check, backward)


def silent_hits(tape: Tape) -> Iterator[Hit]:
    """Writes that went round the version counter of what was saved, unless the contents are known to be the same."""
    writes = _writes_by(tape, lambda write: write.tensor.storage)
    for start, end, save, check, backward in _checks(tape, lambda save: save.tensor.storage in writes):
        if check.changed is False or not is_checked(save):
            continue
        for placed in writes[save.tensor.storage]:
            write = placed.write
            round_the_counter = write.tensor.counter != save.tensor.counter or not is_counted(write)
            reaches = start < placed.at < end and (not placed.swap or _keeps_the_tensor(save, write))
            if reaches and round_the_counter and write.op != DETACH and not _refused_with(write, save):
                yield Hit(write, save, check, backward)


def unchecked_hits(tape: Tape) -> Iterator[Hit]:
    """Writes to what a custom Function keeps on its `ctx`, which no backward checks."""
    writes = _writes_by(tape, lambda write: write.tensor.storage)
    for start, end, save, check, backward in _checks(tape, lambda save: save.tensor.storage in writes):
        if not is_on_ctx(save) or check.changed is False:
            continue
        for placed in writes[save.tensor.storage]:
            write = placed.write
            if start < placed.at < end and not placed.swap and write.op != DETACH and not _refused_with(write, save):
                yield Hit(write, save, check, backward)


def ignored_hits(tape: Tape) -> Iterator[Hit]:
    """Writes through `.data` to what a node has made, whose gradient a backward then hands on as if they were not."""
    writes = _writes_by(tape, lambda write: write.tensor.storage)
    for start, end, save, check, backward in _checks(tape, lambda save: save.tensor.storage in writes):
        if is_as_made(save) and check.changed is not False:
            write = next((one.write for one in writes[save.tensor.storage] if start < one.at < end), None)
            if write is not None and not _passes_right(write):
                yield Hit(write, save, check, backward)


def _passes_right(write: Write) -> bool:
    """Whether the gradient is right, or meant, without the write: the op adds a constant, or makes steps."""
    found = {overload.passes for overload in table.find(f"torch.Tensor.{write.op.removeprefix('_foreach_')}")}
    adds_constant = not (write.grad_mode and write.needs_grad.always)
    return found == {"none"} or (found == {"whole"} and adds_constant)


def is_counted(write: Write) -> bool:
    """Whether the write bumps its version counter."""
    return write.version_after != write.tensor.version


def _checks(tape: Tape, is_written: Callable[[Save], bool]) -> Iterator[tuple[int, int, Save, Check, Backward | None]]:
    """Every check of a written save that was still there, with the places of both on the tape."""
    saves = {save.key: (at, save) for at, save in tape.each(Save) if is_written(save)}
    if not saves:
        return
    backwards = {backward.key: backward for _, backward in tape.each(Backward)}
    for at, check in tape.each(Check):
        if not check.freed and check.save in saves:
            start, save = saves[check.save]
            yield start, at, save, check, backwards.get(check.backward)


def _writes_by(tape: Tape, key: Callable[[Write], int]) -> dict[int, list[_Placed]]:
    writes: dict[int, list[_Placed]] = {}
    for at, write in tape.each(Write):
        swap = at > 0 and isinstance(tape.events[at - 1], SetData) and not is_counted(write)
        writes.setdefault(key(write), []).append(_Placed(at, write, swap))
    return writes


def _cuts_off(write: Write, save: Save) -> bool:
    """Whether the write is a `detach_()` of the saved tensor: no value changes, but torch can no longer unpack it."""
    return write.op == DETACH and not save.tensor.leaf and _keeps_the_tensor(save, write)


def _keeps_the_tensor(save: Save, write: Write) -> bool:
    """Whether the save holds on to the written tensor itself, not only to its memory as with the op's own result.

    Source: `SavedVariable` in torch/csrc/autograd/saved_variable.cpp keeps inputs as they are, results by memory.
    """
    return save.tensor.id == write.tensor.id and not save.role.startswith(("result", "output"))


def _refused_with(write: Write, save: Save) -> bool:
    """Whether torch refuses the write in every case in which the save exists, so that it never comes to the check."""
    refused = rejection(write)
    if refused is None:
        return False
    when = refused[1]
    return when == ALWAYS or (not save.when.always and save.when.inputs <= when.inputs)
