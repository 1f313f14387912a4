"""Who is who: numbers for tensors, for the memory they use and for the version counters they share."""

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

    def knows(self, tensor: torch.Tensor) -> bool:
        """Whether the memory of `tensor` has been seen before."""
        if id(tensor) in self._tensors:
            return True
        storage = storage_of(tensor)
        return storage is not None and (storage._cdata in self._blocks or self._found(storage) is not None)

    def knows_tensor(self, tensor: torch.Tensor) -> bool:
        """Whether this very tensor has been seen before."""
        return id(tensor) in self._tensors

    def block(self, tensor: torch.Tensor) -> Block:
        """The memory of `tensor`. Tensors without an ordinary storage (sparse ones) have one each."""
        storage = storage_of(tensor)
        if storage is None:
            return self._blocks.setdefault(-id(tensor), Block(self._next(), 0, 0))
        block = self._blocks.get(storage._cdata) or self._found(storage)
        if block is None:
            block = self._new_block(storage)
        if storage._cdata not in self._blocks:
            self._blocks[storage._cdata] = block
            block.storages.append(storage)
        return block

    def number(self, tensor: torch.Tensor) -> int:
        """The number of this very tensor."""
        return self._identity(tensor, self.block(tensor))[0]

    def state(self, tensor: torch.Tensor, name: str = "") -> TensorState:
        """The facts about `tensor` as it is now."""
        block = self.block(tensor)
        number, counter = self._identity(tensor, block)
        if name:
            self.names.setdefault(number, name)
        base = tensor._base if tensor._is_view() else None
        return TensorState(
            id=number,
            name=name or self.names.get(number, ""),
            storage=block.number,
            counter=counter,
            version=version(tensor),
            requires_grad=ALWAYS if tensor.requires_grad else NEVER,
            leaf=is_leaf(tensor),
            base=None if base is None else self._identity(base, self.block(base))[0],
            base_leaf=True if base is None else is_leaf(base),
            view=_kind(tensor),
            overlapping=overlapping(tensor),
            inference=tensor.is_inference(),
        )

    def tensor(self, number: int) -> torch.Tensor | None:
        """The tensor of that number."""
        return self._numbered.get(number)

    def memory(self, number: int) -> torch.UntypedStorage | None:
        """The storage of the block `number`, to look at its bytes."""
        block = self._by_number.get(number)
        return block.storages[0] if block and block.storages else None

    def _identity(self, tensor: torch.Tensor, block: Block) -> tuple[int, int]:
        """The numbers of the tensor and of its counter; the counter is registered with the memory it is now used on."""
        known = self._tensors.get(id(tensor))
        if known is None:
            known = (tensor, self._next(), self._counter(tensor, block))
            self._tensors[id(tensor)] = known
            self._numbered[known[1]] = tensor
            if tensor.requires_grad:
                block.graphed.append(tensor)
        block.owners.setdefault(known[2], tensor)
        return known[1], known[2]

    def _counter(self, tensor: torch.Tensor, block: Block) -> int:
        if tensor._is_view() and tensor._base is not None:
            base = tensor._base
            return self._identity(base, self.block(base))[1]
        for counter, owner in block.owners.items():
            if share_counter(tensor, owner):
                return counter
        return self._next()

    def _new_block(self, storage: torch.UntypedStorage) -> Block:
        start = storage.data_ptr()
        block = Block(self._next(), start, start + storage.nbytes())
        self._by_number[block.number] = block
        if start:
            insort(self._starts, (start, block.number))
        return block

    def _found(self, storage: torch.UntypedStorage) -> Block | None:
        """The known block that `storage` overlaps although it is another object: memory shared with numpy, say."""
        start = storage.data_ptr()
        if not start or storage.device.type != "cpu":
            return None
        at = bisect_right(self._starts, (start, 1 << 62))
        for _, number in self._starts[max(0, at - 1) : at + 1]:
            block = self._by_number[number]
            if block.start < start + max(1, storage.nbytes()) and start < max(block.end, block.start + 1):
                return block
        return None

    def _next(self) -> int:
        self._count += 1
        return self._count


def version(tensor: torch.Tensor) -> int:
    """The version of `tensor`, 0 for one that has no counter."""
    return 0 if tensor.is_inference() else tensor._version


def share_counter(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether both have the same version counter: moving the one moves the other. Both are left as they were."""
    if one.is_inference() or other.is_inference() or one._version != other._version:
        return False
    before = one._version
    set_version(one, before + _PROBE)
    try:
        return bool(other._version != before)
    finally:
        set_version(one, before)


def share_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether both use the same storage."""
    if one._is_zerotensor() or other._is_zerotensor():
        return False
    try:
        return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr() != 0)
    except (RuntimeError, NotImplementedError):
        return False


def overlapping(tensor: torch.Tensor) -> bool:
    """Whether several elements of `tensor` are one memory location for sure."""
    try:
        return bool(torch._debug_has_internal_overlap(tensor) == 1)
    except (RuntimeError, NotImplementedError):
        return False


def is_leaf(tensor: torch.Tensor) -> bool:
    """Whether no op made it, as torch's own checks ask. (The property `is_leaf` gives a view a new history first.)"""
    return bool(torch.ops.aten.is_leaf(tensor))


def set_version(tensor: torch.Tensor, value: int) -> None:
    """Put the version counter of `tensor` to `value`."""
    try:
        torch._C._autograd._unsafe_set_version_counter((tensor,), (value,))
    except TypeError:  # torch before 2.6 takes one tensor
        torch._C._autograd._unsafe_set_version_counter(tensor, value)


def _kind(tensor: torch.Tensor) -> ViewKind:
    if not tensor._is_view():
        return ViewKind.NONE
    return _CREATION.get(torch._C._autograd._get_creation_meta(tensor).name, ViewKind.PLAIN)


def storage_of(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    """Return the memory of `tensor`, None if it has no ordinary one."""
    try:
        return None if tensor._is_zerotensor() else tensor.untyped_storage()
    except (RuntimeError, NotImplementedError):
        return None
