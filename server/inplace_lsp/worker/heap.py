"""Identities: numbers for tensors, for their memory and for the version counters they share."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field

import torch

from inplace_lsp.tape.model import ALWAYS, NEVER, TensorState, ViewKind

_CREATION = {
    "NO_GRAD_MODE": ViewKind.NO_GRAD,
    "INFERENCE_MODE": ViewKind.INFERENCE,
    "MULTI_OUTPUT_NODE": ViewKind.MULTI_OUTPUT,
    "IN_CUSTOM_FUNCTION": ViewKind.CUSTOM,
}
_PROBE = 1_000_003


@dataclass
class Block:
    """A piece of memory, kept alive so that its place is not used again, and one tensor of each counter seen on it.

    `graphed`: the tensors met on it that require grad.
    """

    number: int
    start: int
    end: int
    storages: list[torch.UntypedStorage] = field(default_factory=list)
    owners: dict[int, torch.Tensor] = field(default_factory=dict)
    graphed: list[torch.Tensor] = field(default_factory=list)


class Heap:
    """Numbers tensors, memory and counters. All calls must be made with torch's modes switched off."""

    def __init__(self) -> None:
        self._tensors: dict[int, tuple[torch.Tensor, int, int]] = {}
        self._blocks: dict[int, Block] = {}
        self._starts: list[tuple[int, int]] = []
        self._by_number: dict[int, Block] = {}
        self._count = 0
        self._numbered: dict[int, torch.Tensor] = {}
        self.names: dict[int, str] = {}

    def knows_memory(self, tensor: torch.Tensor) -> bool:
        """Return whether the memory of `tensor` has been seen before."""
        if id(tensor) in self._tensors:
            return True
        storage = storage_of(tensor)
        return storage is not None and (storage._cdata in self._blocks or self._find_overlapping(storage) is not None)

    def knows_tensor(self, tensor: torch.Tensor) -> bool:
        """Return whether this very tensor has been seen before."""
        return id(tensor) in self._tensors

    def block_of(self, tensor: torch.Tensor) -> Block:
        """Return the memory of `tensor`. A tensor without ordinary storage (a sparse one) has its own block."""
        storage = storage_of(tensor)
        if storage is None:
            return self._blocks.setdefault(-id(tensor), Block(self._new_number(), 0, 0))
        block = self._blocks.get(storage._cdata) or self._find_overlapping(storage)
        if block is None:
            block = self._new_block(storage)
        if storage._cdata not in self._blocks:
            self._blocks[storage._cdata] = block
            block.storages.append(storage)
        return block

    def number_of(self, tensor: torch.Tensor) -> int:
        """Return the number of this very tensor."""
        return self._numbers_of(tensor, self.block_of(tensor))[0]

    def state_of(self, tensor: torch.Tensor, name: str = "") -> TensorState:
        """Return the facts about `tensor` as it is now."""
        block = self.block_of(tensor)
        number, counter = self._numbers_of(tensor, block)
        if name:
            self.names.setdefault(number, name)
        base = tensor._base if tensor._is_view() else None
        return TensorState(
            id=number,
            name=name or self.names.get(number, ""),
            storage=block.number,
            counter=counter,
            version=version_of(tensor),
            requires_grad=ALWAYS if tensor.requires_grad else NEVER,
            leaf=is_leaf(tensor),
            base=None if base is None else self._numbers_of(base, self.block_of(base))[0],
            base_leaf=True if base is None else is_leaf(base),
            view=_view_kind(tensor),
            overlapping=overlaps_itself(tensor),
            inference=tensor.is_inference(),
        )

    def find_tensor(self, number: int) -> torch.Tensor | None:
        """Return the tensor with a number."""
        return self._numbered.get(number)

    def find_memory(self, number: int) -> torch.UntypedStorage | None:
        """Return the storage of the block `number`, to read its bytes."""
        block = self._by_number.get(number)
        return block.storages[0] if block and block.storages else None

    def new_counter(self) -> int:
        """Return a number for a version counter that no tensor has."""
        return self._new_number()

    def _numbers_of(self, tensor: torch.Tensor, block: Block) -> tuple[int, int]:
        """Return the numbers of the tensor and of its counter; register the counter with its current memory."""
        known = self._tensors.get(id(tensor))
        if known is None:
            known = (tensor, self._new_number(), self._counter_of(tensor, block))
            self._tensors[id(tensor)] = known
            self._numbered[known[1]] = tensor
            if tensor.requires_grad:
                block.graphed.append(tensor)
        block.owners.setdefault(known[2], tensor)
        return known[1], known[2]

    def _counter_of(self, tensor: torch.Tensor, block: Block) -> int:
        if tensor._is_view() and tensor._base is not None:
            base = tensor._base
            return self._numbers_of(base, self.block_of(base))[1]
        for counter, owner in block.owners.items():
            if share_counter(tensor, owner):
                return counter
        return self._new_number()

    def _new_block(self, storage: torch.UntypedStorage) -> Block:
        start = storage.data_ptr()
        block = Block(self._new_number(), start, start + storage.nbytes())
        self._by_number[block.number] = block
        if start:
            insort(self._starts, (start, block.number))
        return block

    def _find_overlapping(self, storage: torch.UntypedStorage) -> Block | None:
        """Return the known block that `storage` overlaps although it is another object (memory shared with numpy)."""
        start = storage.data_ptr()
        if not start or storage.device.type != "cpu":
            return None
        at = bisect_right(self._starts, (start, 1 << 62))
        for _, number in self._starts[max(0, at - 1) : at + 1]:
            block = self._by_number[number]
            if block.start < start + max(1, storage.nbytes()) and start < max(block.end, block.start + 1):
                return block
        return None

    def _new_number(self) -> int:
        self._count += 1
        return self._count


def version_of(tensor: torch.Tensor) -> int:
    """Return the version of `tensor`, 0 if it has no counter."""
    return 0 if tensor.is_inference() else tensor._version


def share_counter(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether both tensors share their version counter, so that a bump of one moves the other. Restores the
    versions."""
    if tensor.is_inference() or other.is_inference() or tensor._version != other._version:
        return False
    before = tensor._version
    set_version(tensor, before + _PROBE)
    try:
        return bool(other._version != before)
    finally:
        set_version(tensor, before)


def share_memory(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether both tensors use the same storage."""
    if tensor._is_zerotensor() or other._is_zerotensor():
        return False
    try:
        return bool(tensor.untyped_storage().data_ptr() == other.untyped_storage().data_ptr() != 0)
    except (RuntimeError, NotImplementedError):
        return False


def overlaps_itself(tensor: torch.Tensor) -> bool:
    """Return whether several elements of `tensor` certainly share a memory location."""
    try:
        return bool(torch._debug_has_internal_overlap(tensor) == 1)
    except (RuntimeError, NotImplementedError):
        return False


def is_leaf(tensor: torch.Tensor) -> bool:
    """Return whether no op made `tensor`, as torch's own checks ask. (The property `is_leaf` first gives a view a new
    history.)"""
    return bool(torch.ops.aten.is_leaf(tensor))


def set_version(tensor: torch.Tensor, value: int) -> None:
    """Set the version counter of `tensor` to `value`."""
    try:
        torch._C._autograd._unsafe_set_version_counter((tensor,), (value,))
    except TypeError:  # torch before 2.6 takes one tensor
        torch._C._autograd._unsafe_set_version_counter(tensor, value)


def _view_kind(tensor: torch.Tensor) -> ViewKind:
    if not tensor._is_view():
        return ViewKind.NONE
    return _CREATION.get(torch._C._autograd._get_creation_meta(tensor).name, ViewKind.PLAIN)


def storage_of(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    """Return the memory of `tensor`, None if it has no ordinary one."""
    try:
        return None if tensor._is_zerotensor() else tensor.untyped_storage()
    except (RuntimeError, NotImplementedError):
        return None
