"""What the parts of the recorder share during one recorded run."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from inplace_lsp.tape.model import MADE_UP, Actor, Span, TensorState, Write
from inplace_lsp.worker.exports import Exports
from inplace_lsp.worker.heap import Heap, storage_of
from inplace_lsp.worker.log import Log
from inplace_lsp.worker.places import Places

_PASSING = frozenset({"forward", "_wrapped_call_impl", "_call_impl", "__call__"})
"""Methods of a module that only run the computation the user asked for."""


@dataclass
class Session:
    """One recorded run."""

    places: Places
    heap: Heap = field(default_factory=Heap)
    made_up: Mapping[str, str] = field(default_factory=dict)
    """The file names of functions that verify made up, with the names of the inputs that they stand for."""

    def __post_init__(self) -> None:
        self.log = Log(self.heap)
        self.exports = Exports(self)
        self.aliases: dict[int, str] = {}
        self.kept: list[Any] = []
        self.inner: dict[Any, list[Any]] = {}
        self.unseen: list[Span] = []
        self.threads: list[str] = []
        self.gradients: set[Any] = set()
        """The nodes behind the gradients that a walk gave with a graph (`create_graph=True`)."""
        self._now = threading.local()

    @property
    def op(self) -> str:
        """The torch function that the user's code, in this thread, is calling at this moment."""
        return getattr(self._now, "op", "")

    @op.setter
    def op(self, name: str) -> None:
        self._now.op = name

    @property
    def dispatched(self) -> Any:
        """The operator that torch, in this thread, has dispatched to its kernel at this moment."""
        return getattr(self._now, "dispatched", None)

    @dispatched.setter
    def dispatched(self, operator: Any) -> None:
        self._now.dispatched = operator

    def stand_aside(self) -> None:
        """A transform of `torch.func` runs: nothing is seen of what happens inside."""
        self.unseen.append(self.here())

    def not_seen(self) -> Iterator[str]:
        """What a reader of the tape should know about it."""
        for row in sorted({span.row for span in self.unseen}):
            yield f"line {row}: what happens inside the transforms of torch.func is not recorded"
        if self.threads:
            yield f"{len(self.threads)} thread(s) were started; of threads that run side by side the order is a chance"

    def settle(self) -> None:
        """Bring the log up to date before something new is recorded. Torch's modes must be off."""
        self.log.settle()
        self.exports.poll()

    def state(self, tensor: torch.Tensor) -> TensorState:
        """The facts about `tensor`, under the name the user knows it by here."""
        return self.heap.state(tensor, self.places.name_of(tensor))

    def learn_name(self, tensor: torch.Tensor) -> None:
        """Ask the user's variables for the name of `tensor`, unless it is known by now."""
        number = self.heap.number(tensor)
        if number not in self.heap.names and (name := self.places.name_of(tensor)):
            self.heap.names[number] = name

    def write(self, tensor: torch.Tensor, op: str, needs_grad: Any, *, overlap: bool = False) -> Write:
        """The event of a write to `tensor` that is about to happen."""
        span, call = self.places.here()
        state = self.state(tensor)
        return Write(
            span=span,
            tensor=state,
            op=op,
            version_after=state.version + 1,
            grad_mode=torch.is_grad_enabled(),
            inference_mode=torch.is_inference_mode_enabled(),
            needs_grad=needs_grad,
            actor=self.actor(tensor),
            call=call,
            alias=self.aliases.get(state.id, "") or self.aliases.get(state.base or state.id, ""),
            partial_overlap=overlap,
        )

    def actor(self, tensor: torch.Tensor | None = None) -> Actor:
        """Who writes (`tensor`, where it is known) now: an optimizer or a module on its own account, or the user's
        statement. A module acts for itself where it writes what it holds; what it computes, it computes for the user.
        """
        for frame in self.places.library_frames():
            owner = frame.f_locals.get("self")
            if isinstance(owner, torch.optim.Optimizer):
                return Actor.STEP
            of_module = isinstance(owner, torch.nn.Module) and frame.f_code.co_name not in _PASSING
            if of_module and (tensor is None or holds(owner, tensor)):
                return Actor.STEP
        return Actor.CODE

    def inside(self) -> str:
        """The function made up by verify that the user's statement has called and that runs now, in words."""
        if not self.made_up:
            return ""
        files = (frame.f_code.co_filename for frame in self.places.library_frames())
        return next((f"{MADE_UP} `{self.made_up[one]}`" for one in files if one in self.made_up), "")

    def here(self) -> Span:
        """The user's statement that runs now."""
        return self.places.here()[0]


def holds(module: torch.nn.Module, tensor: torch.Tensor) -> bool:
    """Return whether `tensor` lies in the memory of a parameter or buffer of `module`, or of a parameter's gradient."""
    if "_parameters" not in vars(module):  # its `__init__` has not come so far
        return False
    parameters = list(module.parameters())
    gradients = [one.grad for one in parameters if one.grad is not None]
    memory = storage_of(tensor)
    held = map(storage_of, (*parameters, *gradients, *module.buffers()))
    return memory is not None and any(own is not None and own._cdata == memory._cdata for own in held)


def tensors_in(value: Any, depth: int = 4) -> Iterator[torch.Tensor]:
    """All tensors in `value`, in nested lists, tuples, dicts and dataclass-like objects.

    What stands for a tensor inside a transform of `torch.func` has no memory of its own to look at: it is left out.
    """
    if isinstance(value, torch.Tensor):
        if not torch._C._functorch.is_functorch_wrapped_tensor(value):
            yield value
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from tensors_in(one, depth - 1)
    elif depth and isinstance(value, dict):
        for one in value.values():
            yield from tensors_in(one, depth - 1)
    elif depth and hasattr(value, "__dataclass_fields__"):
        for one in vars(value).values() if hasattr(value, "__dict__") else ():
            yield from tensors_in(one, depth - 1)
