"""The overlaps between an operand and a written tensor for which torch's kernels refuse the write."""

from __future__ import annotations

from inplace_lsp.interpret.state.layout import find_overlap
from inplace_lsp.interpret.state.values import Tensor


def is_refused_operand(written: Tensor, operand: Tensor, *, whole: bool) -> bool:
    """Return whether the kernel refuses the write because of `operand`'s memory; `whole`: a full overlap counts."""
    if written.layout is not None and operand.layout is not None:
        found = find_overlap(written.layout, operand.layout) if written.storage is operand.storage else "none"
        return found == "part" or (whole and (found == "whole" or written is operand))
    return _overlaps_in_part(written, operand) or (whole and _is_same_memory(written, operand))


def _overlaps_in_part(written: Tensor, operand: Tensor) -> bool:
    """Return whether both are slices of one tensor's first dimension that share some, not all, rows."""
    if written.region is None or operand.region is None or written.region == operand.region:
        return False
    (root, start, stop), (other_root, other_start, other_stop) = written.region, operand.region
    return root == other_root and not (_ends_before(stop, other_start) or _ends_before(other_stop, start))


def _is_same_memory(written: Tensor, operand: Tensor) -> bool:
    """Return whether `operand` is the same tensor, or `detach()` or `.data` of it."""
    whole = written.base is None and operand.base is None and written.region == operand.region
    return written is operand or (whole and written.storage is operand.storage)


def _ends_before(stop: int | None, start: int | None) -> bool:
    """Return whether a slice that ends at `stop` ends before one that begins at `start`, if that is known."""
    return stop is not None and start is not None and (stop < 0) == (start < 0) and stop <= start
