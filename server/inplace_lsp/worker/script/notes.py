"""Notes taken while a script runs. They hang on what the graphs keep, and are dropped with them."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.autograd.function import BackwardCFunction

from inplace_lsp.tape.model import Actor
from inplace_lsp.worker.naming import TorchFunction
from inplace_lsp.worker.script.own_code import Place
from inplace_lsp.worker.script.second_walk import FreedSaves

if TYPE_CHECKING:
    from torch.autograd.graph import Node


@dataclass(frozen=True)
class Creation:
    """A call that returned a tensor; `view_of` is the identity of the one it is a view of."""

    time: int
    place: Place
    op: TorchFunction
    tensor: int
    version: int
    leaf: bool
    requires_grad: bool
    view_of: int | None = None


@dataclass(frozen=True)
class WriteNote:
    """A call that moved the version of a tensor. `writer`: the library's call that does it on its own account, "" for
    the program's. `aliases`: the names of variables that share its memory."""

    time: int
    place: Place
    call: Place | None
    op: str
    spelling: str
    tensor: int
    name: str
    before: int
    after: int
    grad_mode: bool
    needs_grad: bool
    actor: Actor
    writer: str
    alias: object
    aliases: Mapping[int, str] = field(default_factory=dict)


class Memory(NamedTuple):
    """Where a tensor's elements lie, and how often they have been written."""

    version: int
    address: int


def memory_of(tensor: torch.Tensor) -> Memory:
    """Return the memory of `tensor`. Raises RuntimeError or NotImplementedError if it has none of its own, or counts no
    writes."""
    return Memory(tensor._version, tensor.untyped_storage()._cdata)


class LiveSave:
    """What an op keeps for its backward: a handle on memory and version counter, and what was done to them since.

    It lives as long as the node that keeps it; with its end the memory is of no more interest (`Living`). Like torch's
    own `SavedVariable` it holds an input itself, but of the op's result only the memory: the result knows the node.
    """

    __slots__ = ("__weakref__", "_views", "address", "alias", "identity", "key", "leaf", "living", "made", "node",
                 "notes", "op", "place", "requires_grad", "role", "tensor", "version")  # fmt: skip

    def __init__(
        self,
        living: LiveSaves,
        tensor: torch.Tensor,
        memory: Memory,
        time: int,
        place: Place,
        op: TorchFunction | None,
        *,
        custom: bool,
    ) -> None:
        self.living = living
        self.key = time
        self.place = place
        self.op = op
        self.alias = tensor.detach()
        self.version = memory.version
        self.address = memory.address
        self.identity = id(tensor)
        self.requires_grad = bool(tensor.requires_grad)
        self.leaf = not self.requires_grad or tensor.grad_fn is None
        self.tensor = tensor if self.leaf or is_input(tensor, op, custom=custom) else None
        self.made: Creation | None = None
        self.notes: list[Creation | WriteNote] = []
        self._views: set[int] = set()
        self.node: Node | None = None
        self.role = ""

    def __del__(self) -> None:
        self.living.remove(self)

    def knows(self, tensor: torch.Tensor) -> bool:
        """Return whether `tensor` is the saved one, or a view of it that was noted when it was made."""
        return self.identity == id(tensor) or id(tensor) in self._views

    def note_view(self, view: Creation) -> None:
        """Note that a view of the memory was made."""
        self.notes.append(view)
        self._views.add(view.tensor)

    @property
    def has_lost_history(self) -> bool:
        """Return whether the saved tensor has lost its history by `detach_()`."""
        return not self.leaf and self.tensor is not None and self.tensor.grad_fn is None

    def current_tensor(self) -> torch.Tensor:
        """Return what a backward gets: the saved input as it is now, or the memory of the result."""
        return self.alias if self.tensor is None else self.tensor


def is_input(tensor: torch.Tensor, op: TorchFunction | None, *, custom: bool) -> bool:
    """Return whether the op that keeps `tensor` took it as input rather than made it. `custom`: not an op, but an
    `autograd.Function` or a checkpoint.

    A result belongs to the newest node. Where that is not known (lists of results, custom functions, views whose
    history is made anew) the answer is no: an op that held on to its own result would never be freed.
    """
    newest = torch._C._autograd._get_sequence_nr() - 1
    node = tensor.grad_fn
    if node is None or isinstance(node, BackwardCFunction) or getattr(op, "__name__", "").startswith("_foreach_"):
        return False
    return custom or bool(node._sequence_nr() < newest)


class LiveSaves:
    """All saves that a backward may still ask for, by their memory. `freed` notes those that end."""

    def __init__(self, freed: FreedSaves) -> None:
        self._freed = freed
        self._by_address: dict[int, dict[int, weakref.ref[LiveSave]]] = {}

    def add(self, kept: LiveSave) -> None:
        """Note that a graph holds `kept`."""
        self._by_address.setdefault(kept.address, {})[kept.key] = weakref.ref(kept)

    def remove(self, kept: LiveSave) -> None:
        """Drop `kept`, which its graph has let go."""
        self._freed.note_freed(kept.place)
        group = self._by_address.get(kept.address)
        if group is not None:
            group.pop(kept.key, None)
            if not group:
                self._by_address.pop(kept.address, None)

    def find_saves(self, address: int) -> list[LiveSave]:
        """Return the saves of the memory at `address`, oldest first."""
        group = self._by_address.get(address)
        return [kept for reference in list(group.values()) if (kept := reference()) is not None] if group else []

    def list_addresses(self) -> list[int]:
        """Return where the memory lies that some save keeps, in the order of the first saves."""
        return list(self._by_address)

    def __contains__(self, address: int) -> bool:
        return address in self._by_address

    def __bool__(self) -> bool:
        return bool(self._by_address)

    def __len__(self) -> int:
        return sum(map(len, self._by_address.values()))
