"""One event of a tape in words."""

from __future__ import annotations

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
    """Says what happens at each event; remembers the saves, because checks and frees refer to them."""

    def __init__(self) -> None:
        self._saves: dict[int, Save] = {}

    def words(self, event: Event) -> str:
        """The sentence about `event`; events are to be given in the order in which they happened."""
        if isinstance(event, Save):
            self._saves[event.key] = event
            return _save(event)
        if isinstance(event, Check):
            return self._check(event)
        if isinstance(event, Free):
            return self._free(event)
        return _words(event)

    def _check(self, check: Check) -> str:
        save = self._saves.get(check.save)
        what = f"backward needs {name(save.tensor)} for {save.op}" if save else "backward needs what an op saved"
        if check.freed:
            return f"{what}: an earlier backward has freed it"
        if save and check.found_version != save.tensor.version:
            return f"{what} at version {save.tensor.version}, finds {check.found_version}: error"
        if check.changed:
            return f"{what}: the version fits, the contents do not: wrong gradient, no error"
        return f"{what} at version {check.found_version}: fine"

    def _free(self, free: Free) -> str:
        ops = dict.fromkeys(save.op for save in self._saves.values() if save.node == free.node)
        return f"backward frees what {', '.join(ops) or 'an op'} saved"


def _words(event: Create | View | Write | SetData | Reject | Backward) -> str:
    if isinstance(event, Create):
        return f"{name(event.tensor)} is made by {event.op}{_gradient(event.tensor)}"
    if isinstance(event, View):
        return _view(event)
    if isinstance(event, Write):
        return _write(event)
    if isinstance(event, SetData):
        return f"{name(event.tensor)}.data = {name(event.value)}: the memory is swapped, the version stays"
    if isinstance(event, Reject):
        return f"torch refuses {event.op} on {name(event.tensor)}: {event.reason.value}"
    starts = "the caller may call backward" if event.assumed else "backward starts"
    return f"{starts}, retaining the graph" if event.retain else starts


def _view(view: View) -> str:
    if view.tensor.counter == view.of.counter:
        shares = "memory and version counter"
    else:
        shares = "memory, not the version counter,"
    return f"{name(view.tensor)} shares {shares} with {name(view.of)} ({view.op})"


def _save(save: Save) -> str:
    role = "its result" if save.role.startswith("result") else f"its {save.role}"
    needed = f" if {_inputs(save.when)} requires grad" if not save.when.always and save.when else ""
    return f"{save.op} saves {name(save.tensor)}, {role}, at version {save.tensor.version}{needed}"


def _write(write: Write) -> str:
    through = f" through {write.alias}" if write.alias else ""
    what = f"{write.op} writes {name(write.tensor)}{through}"
    if write.version_after == write.tensor.version:
        return f"{what}: the counter does not see it"
    return what


def _gradient(tensor: TensorState) -> str:
    if not tensor.requires_grad:
        return ""
    leaf = "leaf, " if tensor.leaf else ""
    if tensor.requires_grad.always:
        return f" ({leaf}requires grad)"
    return f" ({leaf}requires grad if {_inputs(tensor.requires_grad)} does)"


def _inputs(when: When) -> str:
    return " or ".join(sorted(when.inputs))


def name(tensor: TensorState) -> str:
    """The tensor as the reader knows it."""
    return tensor.name or "a temporary"
