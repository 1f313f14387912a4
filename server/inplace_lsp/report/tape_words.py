"""One event of a tape in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from inplace_lsp.tape.autograd import is_as_made
from inplace_lsp.tape.model import (
    Backward,
    Check,
    Create,
    Event,
    Free,
    Reject,
    Save,
    SetData,
    TensorState,
    View,
    When,
    Write,
)


class Speaker:
    """Says what happens at each event; remembers the saves, because checks and frees refer to them.

    `names`: what a tensor is called that has no name (yet), by its id. `aliases`: how a tensor was reached that shares
    memory with another of that name, but not its version counter (`.data`), by its id.
    """

    def __init__(self, names: Mapping[int, str] | None = None, aliases: Mapping[int, str] | None = None) -> None:
        self._saves: dict[int, Save] = {}
        self._memory: dict[int, str] = {}
        self._by_storage: defaultdict[int, list[Save]] = defaultdict(list)
        self._by_node: defaultdict[int, list[Save]] = defaultdict(list)
        self._overwritten: set[int] = set()
        self._names = names or {}
        self._aliases = aliases or {}

    def words(self, event: Event) -> str:
        """The sentence about `event`; events are to be given in the order in which they happened."""
        tensor = getattr(event, "tensor", None)
        if tensor is not None and self._called(tensor):
            self._memory.setdefault(tensor.storage, self._called(tensor))
        if isinstance(event, Save):
            self._saves[event.key] = event
            if not is_as_made(event):
                self._by_storage[event.tensor.storage].append(event)
                self._by_node[event.node].append(event)
            return self._save(event)
        if isinstance(event, Check):
            return self._check(event)
        if isinstance(event, Free):
            return self._free(event)
        if isinstance(event, Create):
            return f"{self._name(event.tensor)} is made by {event.op}{_gradient(event.tensor)}"
        if isinstance(event, View):
            return self._view(event)
        if isinstance(event, Write):
            near = self._by_storage[event.tensor.storage]
            self._overwritten.update(save.key for save in near if _unseen(event, save))
            return self._write(event)
        return self._other(event)

    def _check(self, check: Check) -> str:
        save = self._saves.get(check.save)
        if save and is_as_made(save):
            return f"backward comes to {save.op} from what follows that write to {self._name(save.tensor)}"
        what = f"backward needs {self._name(save.tensor)} for {save.op}" if save else "backward needs what an op saved"
        if check.freed:
            return f"{what}: an earlier backward has freed it"
        if save and check.found_version != save.tensor.version:
            return f"{what} at version {save.tensor.version}, finds {check.found_version}: error"
        if check.changed or (check.changed is None and check.save in self._overwritten):
            return f"{what}: the version fits, the contents do not: wrong gradient, no error"
        return f"{what} at version {check.found_version}: fine"

    def _free(self, free: Free) -> str:
        ops = dict.fromkeys(save.op for save in self._by_node[free.node])
        return f"backward frees what {', '.join(ops) or 'an op'} saved"

    def _other(self, event: SetData | Reject | Backward) -> str:
        if isinstance(event, SetData):
            value = self._name(event.value)
            return f"{self._name(event.tensor)}.data = {value}: the memory is swapped, the version stays"
        if isinstance(event, Reject):
            return f"torch refuses {event.op} on {self._name(event.tensor)}: {event.reason.value}"
        starts = "the caller may call backward" if event.assumed else "backward starts"
        return f"{starts}, retaining the graph" if event.retain else starts

    def _view(self, view: View) -> str:
        if view.tensor.counter == view.of.counter:
            shares = "memory and version counter"
        else:
            shares = "memory, not the version counter,"
        how = "" if view.tensor.id in self._aliases else f" ({view.op})"
        return f"{self._name(view.tensor)} shares {shares} with {self._name(view.of)}{how}"

    def _save(self, save: Save) -> str:
        if is_as_made(save):
            return (
                f"{self._name(save.tensor)} is as {save.op} made it: the graph does not know of the write that follows"
            )
        role = ", its result," if save.role.startswith("result") else f", its {save.role}," if save.role else ""
        needed = f" if {_inputs(save.when)} requires grad" if not save.when.always and save.when else ""
        return f"{save.op} saves {self._name(save.tensor)}{role} at version {save.tensor.version}{needed}"

    def _write(self, write: Write) -> str:
        through = f" through {write.alias}" if write.alias and write.tensor.id not in self._aliases else ""
        what = f"{write.op} writes {self.written(write)}{through}"
        if write.refused:
            return f"torch refuses: {what}"
        if write.version_after == write.tensor.version:
            return f"{what}: the counter does not see it"
        return what

    def written(self, write: Write) -> str:
        """What a write writes: a tensor without a name is known by the one whose memory it shares."""
        memory = self._memory.get(write.tensor.storage)
        return f"a view of {memory}" if memory and not self._called(write.tensor) else self._name(write.tensor)

    def _called(self, tensor: TensorState) -> str:
        return tensor.name or self._names.get(tensor.id, "")

    def _name(self, tensor: TensorState) -> str:
        name = self._called(tensor) or "a temporary"
        return f"{name} ({self._aliases[tensor.id]})" if tensor.id in self._aliases else name


def _unseen(write: Write, save: Save) -> bool:
    """Whether `write`, to the memory that `save` keeps, goes behind the back of its version counter."""
    return write.tensor.counter != save.tensor.counter or write.version_after == write.tensor.version


def _gradient(tensor: TensorState) -> str:
    if not tensor.requires_grad:
        return ""
    leaf = "leaf, " if tensor.leaf else ""
    if tensor.requires_grad.always:
        return f" ({leaf}requires grad)"
    return f" ({leaf}requires grad if {_inputs(tensor.requires_grad)} does)"


def _inputs(when: When) -> str:
    return " or ".join(sorted(when.inputs))
