"""An event of a tape in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from inplace_lsp.hazards.parts import SWAP, is_by_backward, name_saved_part, name_saved_part_of_op, name_writer
from inplace_lsp.report.tape_names import Names
from inplace_lsp.tape.autograd import PRIVATE, is_as_made, is_shared_gradient
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
    ViewKind,
    When,
    Write,
)


def describe_events(events: Iterable[Event]) -> list[str]:
    """Return the sentence about each event, given in the order in which they happened."""
    events = list(events)
    speaker = EventDescriber(events)
    return [speaker.describe_event(event) for event in events]


class EventDescriber:
    """Describes `events` one by one; remembers the saves, because checks and frees refer to them."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        events = list(events)
        self._saves: dict[int, Save] = {}
        self._memory: dict[int, str] = {}
        self._by_storage: defaultdict[int, list[Save]] = defaultdict(list)
        self._by_node: defaultdict[int, list[Save]] = defaultdict(list)
        self._overwritten: set[int] = set()
        self._names = Names(events)

    def describe_event(self, event: Event) -> str:
        """Return the sentence about `event`; pass the events in their order."""
        self._note_event(event)
        if isinstance(event, Save):
            return self._describe_save(event)
        if isinstance(event, Check):
            return self._describe_check(event)
        if isinstance(event, Free):
            return self._describe_free(event)
        if isinstance(event, Create):
            return self._describe_create(event)
        if isinstance(event, View):
            return self._describe_view(event)
        if isinstance(event, Write):
            return self._describe_write(event)
        return self._describe_other(event)

    def _note_event(self, event: Event) -> None:
        """Remember the event as far as sentences about later events need it."""
        tensor = getattr(event, "tensor", None)
        if tensor is not None and self._names.name_of(tensor):
            self._memory.setdefault(tensor.storage, self._names.name_of(tensor))
        if isinstance(event, Save):
            self._saves[event.key] = event
            if not is_as_made(event):
                self._by_storage[event.tensor.storage].append(event)
                self._by_node[event.node].append(event)
        elif isinstance(event, Write):
            near = self._by_storage[event.tensor.storage]
            self._overwritten.update(save.key for save in near if _is_unseen_by_counter(event, save))

    def _describe_create(self, create: Create) -> str:
        name, gradient = self._names.name_of(create.tensor), _describe_gradient(create.tensor)
        if not name:
            return f"{self._find_full_name(create.tensor)}{gradient}"
        if create.op == "input":
            return f"{name} is given{gradient}"
        maker = _MAKERS.get(create.op, create.op)
        return f"{name} is made by {maker}{gradient}" if maker else f"{name} is made{gradient}"

    def _describe_check(self, check: Check) -> str:
        save = self._saves.get(check.save)
        if save and is_as_made(save):
            return f"backward goes through {save.op} as if {self._find_full_name(save.tensor)} had not been written"
        what = f"backward needs {self._describe_need(save)}" if save else "backward needs what an op saved"
        if check.freed:
            return f"{what}: an earlier backward has freed it"
        if save and check.found_version != save.tensor.version:
            return f"{what} at version {save.tensor.version}, finds {check.found_version}: error"
        if check.changed or (check.changed is None and check.save in self._overwritten):
            return f"{what}: the version fits, the contents do not: wrong gradient, no error"
        return f"{what} at version {check.found_version}: fine"

    def _describe_need(self, save: Save) -> str:
        """Return what a backward needs: a tensor's name, else its role in the op."""
        name = self._names.name_of(save.tensor)
        return f"{self._find_full_name(save.tensor)} for {save.op}" if name else name_saved_part_of_op(save)

    def _describe_free(self, free: Free) -> str:
        ops = dict.fromkeys(save.op for save in self._by_node[free.node])
        return f"backward frees what {', '.join(ops) or 'an op'} saved"

    def _describe_other(self, event: SetData | Reject | Backward) -> str:
        if isinstance(event, SetData):
            value = self._find_full_name(event.value)
            return f"{self._find_full_name(event.tensor)}.data = {value}: the memory is swapped, the version stays"
        if isinstance(event, Reject):
            what = "the use of" if event.op in {kind.value for kind in ViewKind} else f"{event.op} on"
            return f"torch refuses {what} {self._find_full_name(event.tensor)}: {event.reason.value}"
        starts = "the caller may call backward" if event.assumed else "backward starts"
        if event.by_verify:
            starts = "verify calls backward on the result"
        return f"{starts}, retaining the graph" if event.retain and not event.assumed else starts

    def _describe_view(self, view: View) -> str:
        if view.tensor.counter == view.of.counter:
            shares = "memory and version counter"
        else:
            shares = "memory, not the version counter,"
        how = "" if view.tensor.id in self._names.aliases else f" ({_VIEWS.get(view.op, view.op)})"
        whose = self._names.name_of(view.of) or self._names.name_stand_in(view.of)
        mine = self._names.name_of(view.tensor) or "a view"
        mine = "a part of it" if mine == whose and view.tensor.counter == view.of.counter else mine
        return f"{self._add_alias(view.tensor, mine)} shares {shares} with {self._add_alias(view.of, whose)}{how}"

    def _describe_save(self, save: Save) -> str:
        if is_as_made(save):
            return (
                f"{self._find_full_name(save.tensor)} is as {save.op} made it: the graph does not record the next write"
            )
        if is_shared_gradient(save):
            return f"the inputs of {save.op} get one gradient, in one memory"
        what = self._name_saved(save)
        if save.role == PRIVATE or not what:
            return f"{save.op} keeps a mask or copy of its own"
        needed = f" if {_describe_inputs(save.when)} requires grad" if not save.when.always and save.when else ""
        return f"{save.op} saves {what} at version {save.tensor.version}{needed}"

    def _name_saved(self, save: Save) -> str:
        """Return the name of the saved tensor, else its part in the op."""
        part = name_saved_part(save.role) if save.role else ""
        known = self._names.name_of(save.tensor) or self._names.name_stand_in(save.tensor, "")
        what = self._find_full_name(save.tensor) if known else part
        if what and part == "its result":
            return f"{what}, its result," if self._names.name_of(save.tensor) else part
        return what

    def _describe_write(self, write: Write) -> str:
        through = f" through {write.alias}" if write.alias and write.tensor.id not in self._names.aliases else ""
        verb = "adds to" if is_by_backward(write) else "writes"
        part = self._names.takes_part(write)
        if write.op == SWAP:
            return f"the memory of {self._find_full_name(write.tensor)} is swapped: the counter does not see it"
        what = f"{name_writer(write)} {verb} {self.describe_written(write, part=part)}{through}"
        if write.refused:
            return f"torch refuses: {what}"
        if write.version_after == write.tensor.version:
            return f"{what}: the counter does not see it"
        return what

    def describe_written(self, write: Write, *, part: bool = False) -> str:
        """Return what a write writes; for an unnamed tensor, the named one whose memory it shares."""
        memory = self._memory.get(write.tensor.storage)
        if memory and (part or not self._names.name_of(write.tensor)):
            return f"a part of {memory}" if part else f"a view of {memory}"
        return self._find_full_name(write.tensor)

    def _find_full_name(self, tensor: TensorState) -> str:
        return self._add_alias(tensor, self._names.name_of(tensor) or self._names.name_stand_in(tensor))

    def _add_alias(self, tensor: TensorState, name: str) -> str:
        return f"{name} ({self._names.aliases[tensor.id]})" if tensor.id in self._names.aliases else name


_MAKERS = {"unknown": "an unknown call", "Parameter": "", "buffer": "", "grad": "backward"}
"""Words for the maker of a tensor that no op of torch made; "" for none."""
_VIEWS = {"__getitem__": "indexing"}
"""Words for what takes a view and has no name that users write."""


def _is_unseen_by_counter(write: Write, save: Save) -> bool:
    """Return whether `write` changes the memory that `save` keeps without bumping its version counter."""
    return write.tensor.counter != save.tensor.counter or write.version_after == write.tensor.version


def _describe_gradient(tensor: TensorState) -> str:
    needs = tensor.requires_grad
    if not needs:
        return ""
    if needs.inputs == {tensor.name}:
        return " (may require grad)"
    leaf = "leaf, " if tensor.leaf else ""
    return f" ({leaf}requires grad)" if needs.always else f" ({leaf}requires grad if {_describe_inputs(needs)} does)"


def _describe_inputs(when: When) -> str:
    return " or ".join(sorted(when.inputs))
