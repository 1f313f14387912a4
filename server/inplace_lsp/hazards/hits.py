"""Find the writes that hit saved tensors: compare what an op saved with what backward finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from inplace_lsp.tape.autograd import DETACH, find_rejection, is_as_made, is_checked, is_on_ctx
from inplace_lsp.tape.model import ALWAYS, Backward, Check, Save, SetData, Tape, Write
from inplace_lsp.tape.records import record
from inplace_lsp.torch_ops import table


@dataclass(frozen=True, slots=True)
class Hit:
    """`write` changed a saved tensor between `save` and the `check` of `backward`."""

    write: Write
    save: Save
    check: Check
    backward: Backward | None


@record
class _PlacedWrite:
    """A write and its position on the tape; `swap`: an assignment to `.data` replaced the memory."""

    at: int
    write: Write
    swap: bool


def find_loud_hits(tape: Tape) -> Iterator[Hit]:
    """Yield the writes that torch reports: the check finds another version, or a tensor without its history."""
    writes = _group_writes(tape, lambda write: write.tensor.counter)
    for start, end, save, check, backward in _find_checks_of_writes(tape, lambda save: save.tensor.counter in writes):
        if not is_checked(save):
            continue
        moved = check.found_version != save.tensor.version
        for placed in writes[save.tensor.counter]:
            is_reported = (moved and bumps_counter(placed.write)) or _is_cutting_history(placed.write, save)
            if is_reported and start < placed.at < end and not _is_always_refused(placed.write, save):
                yield Hit(placed.write, save, check, backward)


def find_silent_hits(tape: Tape) -> Iterator[Hit]:
    """Yield the writes that bypass the version counter, unless the contents are known to be unchanged."""
    writes = _group_writes(tape, lambda write: write.tensor.storage)
    for start, end, save, check, backward in _find_checks_of_writes(tape, lambda save: save.tensor.storage in writes):
        if check.changed is False or not is_checked(save):
            continue
        for placed in writes[save.tensor.storage]:
            if start < placed.at < end and _bypasses_counter(placed, save, check):
                yield Hit(placed.write, save, check, backward)


def _bypasses_counter(placed: _PlacedWrite, save: Save, check: Check) -> bool:
    write = placed.write
    if write.op == DETACH or (placed.swap and not _is_saved_object(save, write)):
        return False
    set_back = write.version_after > check.found_version
    unseen = write.tensor.counter != save.tensor.counter or not bumps_counter(write) or set_back
    return unseen and not _is_always_refused(write, save)


def find_unchecked_hits(tape: Tape) -> Iterator[Hit]:
    """Yield the writes to what a custom Function keeps on its `ctx`, which no backward checks."""
    writes = _group_writes(tape, lambda write: write.tensor.storage)
    for start, end, save, check, backward in _find_checks_of_writes(tape, lambda save: save.tensor.storage in writes):
        if not is_on_ctx(save) or check.changed is False:
            continue
        for placed in writes[save.tensor.storage]:
            write = placed.write
            if (
                start < placed.at < end
                and not placed.swap
                and write.op != DETACH
                and not _is_always_refused(write, save)
            ):
                yield Hit(write, save, check, backward)


def find_ignored_hits(tape: Tape) -> Iterator[Hit]:
    """Yield the writes through `.data` to the result of a node whose gradient ignores them."""
    writes = _group_writes(tape, lambda write: write.tensor.storage)
    for start, end, save, check, backward in _find_checks_of_writes(tape, lambda save: save.tensor.storage in writes):
        if is_as_made(save) and check.changed is not False:
            write = next((placed.write for placed in writes[save.tensor.storage] if start < placed.at < end), None)
            if write is not None and not _is_gradient_right(write):
                yield Hit(write, save, check, backward)


def _is_gradient_right(write: Write) -> bool:
    """Return whether the gradient without the write is right or intended: the op adds a constant, or rounds."""
    found = {overload.passes for overload in table.find_overloads(f"torch.Tensor.{write.op.removeprefix('_foreach_')}")}
    adds_constant = not (write.grad_mode and write.needs_grad.always)
    return found == {"none"} or (found == {"whole"} and adds_constant)


def bumps_counter(write: Write) -> bool:
    """Return whether the write bumps its version counter."""
    return write.version_after != write.tensor.version


def _find_checks_of_writes(
    tape: Tape, is_written: Callable[[Save], bool]
) -> Iterator[tuple[int, int, Save, Check, Backward | None]]:
    """Yield every check of a written save that was not freed, with the positions of both on the tape."""
    saves = {save.key: (at, save) for at, save in tape.events_of(Save) if is_written(save)}
    if not saves:
        return
    backwards = {backward.key: backward for _, backward in tape.events_of(Backward)}
    for at, check in tape.events_of(Check):
        if not check.freed and check.save in saves:
            start, save = saves[check.save]
            yield start, at, save, check, backwards.get(check.backward)


def _group_writes(tape: Tape, key: Callable[[Write], int]) -> dict[int, list[_PlacedWrite]]:
    writes: dict[int, list[_PlacedWrite]] = {}
    for at, write in tape.events_of(Write):
        swap = at > 0 and isinstance(tape.events[at - 1], SetData) and not bumps_counter(write)
        writes.setdefault(key(write), []).append(_PlacedWrite(at, write, swap))
    return writes


def _is_cutting_history(write: Write, save: Save) -> bool:
    """Return whether the write is a `detach_()` of the saved tensor, which torch then can no longer unpack."""
    return write.op == DETACH and not save.tensor.leaf and _is_saved_object(save, write)


def _is_saved_object(save: Save, write: Write) -> bool:
    """Return whether the save holds the written tensor object, not only its memory as for the op's own result.

    Source: `SavedVariable` in torch/csrc/autograd/saved_variable.cpp keeps inputs as they are, results by memory.
    """
    return save.tensor.id == write.tensor.id and not save.role.startswith(("result", "output"))


def _is_always_refused(write: Write, save: Save) -> bool:
    """Return whether torch refuses the write whenever the save exists, so that the check is never reached."""
    refused = find_rejection(write)
    if refused is None:
        return False
    when = refused[1]
    return when == ALWAYS or (not save.when.always and save.when.inputs <= when.inputs)
