"""The state that the parts of the recorder share during a recorded run."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from inplace_lsp.tape.model import MADE_UP, Actor, Span, TensorState, When, Write
from inplace_lsp.worker.exports import Exports
from inplace_lsp.worker.heap import Heap, storage_of
from inplace_lsp.worker.log import Log
from inplace_lsp.worker.places import Places, locals_of
from inplace_lsp.worker.saved_tensor import SavedTensor
from inplace_lsp.worker.spelling import spelling_of

if TYPE_CHECKING:
    from torch.autograd.graph import Node

_PASSING = frozenset({"forward", "_wrapped_call_impl", "_call_impl", "__call__"})
"""Methods of a module that only run the computation the user asked for."""


class EnoughSeenError(BaseException):
    """A recorded run has gone on for long enough behind an error of torch's. No code under test catches it."""


MORE_WALKS = 32
"""Maximum number of backwards that are recorded after the last new error of torch's: a training could go on for
ever."""
MORE_SECONDS = 2.0
"""Seconds of the processor for which a run is recorded after the first backward that torch would have refused; fewer if
it has taken long until then, since its time is limited."""


@dataclass
class Recording:
    """A recorded run."""

    places: Places
    heap: Heap = field(default_factory=Heap)
    made_up: Mapping[str, str] = field(default_factory=dict)
    """The file names of functions that verify made up, with the names of the inputs that they stand for."""
    goes_on: bool = False
    """Whether the run goes on after a write that torch refuses, if the program does not catch the error."""

    def __post_init__(self) -> None:
        self.log = Log(self.heap)
        self.exports = Exports(self)
        self.aliases: dict[int, str] = {}
        self.kept: list[SavedTensor] = []
        self.inner: dict[Node, list[SavedTensor]] = {}
        self.unseen: list[Span] = []
        self.threads: list[str] = []
        self.first_error: BaseException | None = None
        """The first error of torch's after which the run went on."""
        self._refused: set[Span] = set()
        """Where ops saved what torch would have refused a backward for."""
        self._more_walks = MORE_WALKS
        self._begin = time.process_time()
        self._end_of_more: float | None = None
        self.gradients: set[Node] = set()
        """The nodes behind the gradients that a walk gave with a graph (`create_graph=True`)."""
        self.hooks_gradients = False
        """Whether the program has set a hook on a gradient."""
        self._now = threading.local()

    @property
    def op(self) -> str:
        """The torch function that the user's code in this thread is calling."""
        return getattr(self._now, "op", "")

    @op.setter
    def op(self, name: str) -> None:
        self._now.op = name

    @property
    def dispatched(self) -> object:
        """The operator that torch in this thread has dispatched to its kernel."""
        return getattr(self._now, "dispatched", None)

    @dispatched.setter
    def dispatched(self, operator: object) -> None:
        self._now.dispatched = operator

    def note_refused(self, saved: Span) -> None:
        """Note that torch would refuse a backward for what was saved at `saved`."""
        if saved not in self._refused:
            self._refused.add(saved)
            self._more_walks = MORE_WALKS
            now = time.process_time()
            more = max(0.0, MORE_SECONDS - (now - self._begin) / 4)
            self._end_of_more = self._end_of_more or now + more

    def end_if_late(self) -> None:
        """Raise EnoughSeenError if the backward that torch would have refused was long ago."""
        if self.goes_on and self._end_of_more is not None and time.process_time() > self._end_of_more:
            raise EnoughSeenError

    def begin_walk(self) -> None:
        """Count a backward. Raises EnoughSeenError if many have found nothing new since torch would have ended the
        run."""
        if self.goes_on and (self._refused or self.first_error is not None):
            self._more_walks -= 1
            if self._more_walks < 0:
                raise EnoughSeenError

    def note_unseen(self) -> None:
        """Note that a transform of `torch.func` runs here: what happens inside is not seen."""
        self.unseen.append(self.current_span())

    def describe_unseen(self) -> Iterator[str]:
        """Yield what a reader of the tape should know about its gaps."""
        for row in sorted({span.row for span in self.unseen}):
            yield f"line {row}: what happens inside the transforms of torch.func is not recorded"
        if self.threads:
            yield f"{len(self.threads)} thread(s) were started; the order in which threads run is not deterministic"

    def settle_log(self) -> None:
        """Bring the log up to date before something new is recorded. Torch's modes must be off."""
        self.log.read_pending_versions()
        self.exports.log_changes()

    def state_of(self, tensor: torch.Tensor) -> TensorState:
        """Return the facts about `tensor`, under the name the user knows it by here."""
        return self.heap.state_of(tensor, self.places.name_of(tensor))

    def learn_name(self, tensor: torch.Tensor) -> None:
        """Look for a name of `tensor` among the user's variables, unless it has one."""
        number = self.heap.number_of(tensor)
        if number not in self.heap.names and (name := self.places.name_of(tensor)):
            self.heap.names[number] = name

    def build_write(self, tensor: torch.Tensor, op: str, needs_grad: When, *, overlap: bool = False) -> Write:
        """Return the event of a write to `tensor` that is about to happen."""
        span, call = self.places.current_statement()
        state = self.state_of(tensor)
        actor, writer = self.find_writer(tensor)
        return Write(
            span=span,
            tensor=state,
            op=writer or op,
            version_after=state.version + 1,
            grad_mode=torch.is_grad_enabled(),
            inference_mode=torch.is_inference_mode_enabled(),
            needs_grad=needs_grad,
            actor=actor,
            call=call,
            alias=self.aliases.get(state.id, "") or self.aliases.get(state.base or state.id, ""),
            partial_overlap=overlap,
            spelling=spelling_of(self.op, span),
        )

    def find_writer(self, tensor: torch.Tensor | None = None) -> tuple[Actor, str]:
        """Return who writes now (to `tensor`, where known): an optimizer or a module on its own account, or the user's
        statement; and the name of the call that the user knows: `Adam.step`, `load_state_dict`, "" for their own.

        A module acts for itself where it writes what it holds; what it computes, it computes for the user.
        """
        calls = [(locals_of(frame).get("self"), frame.f_code.co_name) for frame in self.places.library_frames()]
        for owner, _ in calls:
            if isinstance(owner, torch.optim.Optimizer):
                steps = any(other is owner and name == "step" for other, name in calls)
                return Actor.STEP, f"{type(owner).__name__}.step" if steps else ""
        of_modules = [
            (owner, name) for owner, name in calls if isinstance(owner, torch.nn.Module) and name not in _PASSING
        ]
        for owner, _ in of_modules:
            if tensor is None or holds_tensor(owner, tensor):
                return Actor.STEP, next((name for _, name in reversed(of_modules) if name != "__init__"), "")
        return Actor.CODE, ""

    def made_up_caller(self) -> str:
        """Name the function made up by verify that the user's statement has called and that runs now."""
        if not self.made_up:
            return ""
        files = (frame.f_code.co_filename for frame in self.places.library_frames())
        return next((f"{MADE_UP} `{self.made_up[file]}`" for file in files if file in self.made_up), "")

    def current_span(self) -> Span:
        """Return the user's statement that runs now."""
        return self.places.current_statement()[0]


def holds_tensor(module: torch.nn.Module, tensor: torch.Tensor) -> bool:
    """Return whether `tensor` lies in the memory of a parameter or buffer of `module`, or of a parameter's gradient."""
    if "_parameters" not in vars(module):  # its `__init__` has not come so far
        return False
    parameters = list(module.parameters())
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    memory = storage_of(tensor)
    held = map(storage_of, (*parameters, *gradients, *module.buffers()))
    return memory is not None and any(own is not None and own._cdata == memory._cdata for own in held)


def tensors_in(value: object, depth: int = 4) -> Iterator[torch.Tensor]:
    """Yield all tensors in `value`, in nested lists, tuples, dicts and dataclass-like objects.

    Tensors inside a transform of `torch.func` have no memory of their own and are skipped.
    """
    if isinstance(value, torch.Tensor):
        if not torch._C._functorch.is_functorch_wrapped_tensor(value):
            yield value
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from tensors_in(item, depth - 1)
    elif depth and isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item, depth - 1)
    elif depth and hasattr(value, "__dataclass_fields__"):
        for var in vars(value).values() if hasattr(value, "__dict__") else ():
            yield from tensors_in(var, depth - 1)
