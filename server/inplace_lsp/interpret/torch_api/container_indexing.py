"""Subscripts of lists, dicts, strings and module containers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from inplace_lsp.interpret.autograd.walks import find_reachable
from inplace_lsp.interpret.machine.iteration import to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Class,
    Container,
    Instance,
    Items,
    Known,
    Mapping,
    Number,
    SliceValue,
    Tensor,
    Unknown,
    Value,
    find_integer,
    has_certain_key,
    is_none,
    make_key,
)


def to_known_slice(part: SliceValue) -> slice:
    """Convert to a Python slice. Raises TypeError if a bound is unknown."""
    given = (part.lower, part.upper, part.step)
    bounds = [find_integer(value) for value in given]
    if any(b is None and v is not None and not is_none(v) for b, v in zip(bounds, given, strict=True)):
        raise TypeError("not known")
    return slice(*bounds)


def find_text_part(text: str, index: Value) -> Known | None:
    """Return a part of a constant string; None if the index is unknown or out of range."""
    try:
        number = to_known_slice(index) if isinstance(index, SliceValue) else find_integer(index)
        return Known(text[number]) if number is not None else None
    except (IndexError, TypeError, ValueError):
        return None


def get_item(machine: Machine, value: Items, index: Value, text: str) -> Value:
    """Evaluate `list[index]`; for an unknown index, any element stands for the result."""
    if isinstance(index, SliceValue):
        return _get_slice(machine, value, index)
    number = index.value if isinstance(index, Known) else index.hint if isinstance(index, Number) else None
    if isinstance(number, int):
        if number >= 0:
            to_items(machine, value, min(number, 64) + 1)
        if -len(value.items) <= number < len(value.items):
            return value.items[number]
    if value.items and not isinstance(index, Known):
        return value.items[-1] if number is None else _make_another(machine, value.items[-1], text)
    if isinstance(number, int) and number < 0 and value.count_at is not None:
        return value.count_at(number)
    machine.note_missing_pass(value)
    return machine.make_unknown(text or "an element")


def _make_another(machine: Machine, element: Value, text: str) -> Value:
    """Return another element like this one, for a pass of a loop that comes further than the list was seen to.

    A tensor is computed from the same leaves by a graph of its own: what a backward frees, or a write changes, of the
    graph of this one, it does not need.
    """
    if isinstance(element, Items):
        parts = [_make_another(machine, part, text) for part in element.items]
        return replace(element, items=parts, none=None)
    if isinstance(element, Instance):
        kept = {name: part for name, part in element.attributes.items() if _holds_graph(part)}
        others = {name: _make_another(machine, part, f"{text}.{name}") for name, part in kept.items()}
        return replace(element, attributes=element.attributes | others) if others else element
    if not isinstance(element, (Tensor, Unknown)):
        return element
    another = machine.make_unknown(text or "an element", _find_leaves(element) or [element])
    another.flows = bool(another.inputs)
    another.graphless = not another.inputs and (isinstance(element, Tensor) or element.graphless)
    return another


def _holds_graph(value: Value) -> bool:
    """Return whether a value is a tensor with a graph, or a list or tuple that holds one."""
    if isinstance(value, Items):
        return any(isinstance(item, Tensor) and item.node is not None for item in value.items)
    return isinstance(value, Tensor) and value.node is not None


def _find_leaves(element: Tensor | Unknown) -> list[Tensor]:
    """Return the leaves that the graph of an element leads to."""
    tensor = element.tensor if isinstance(element, Unknown) else element
    return find_reachable([tensor.node])[1] if tensor is not None and tensor.node is not None else []


def _get_slice(machine: Machine, value: Items, index: SliceValue) -> Items:
    """Evaluate `list[a:b]`; where a bound is unknown, the result may hold any of the elements."""
    given = (index.lower, index.upper, index.step)
    bounds = [find_integer(bound) for bound in given]
    if any(number is None and bound is not None for number, bound in zip(bounds, given, strict=True)) or bounds[2] == 0:
        return Items(value.kind, list(value.items), open=True)
    if bounds[1] is not None and bounds[1] > 0 and value.open:
        to_items(machine, value, bounds[1])
    return Items(value.kind, value.items[slice(*bounds)], open=value.open and bounds[1] is None, more=value.more)


def put_item(value: Items, index: Value, item: Value) -> None:
    """Execute `list[index] = item`."""
    number = index.value if isinstance(index, Known) else index.hint if isinstance(index, Number) else None
    if isinstance(index, SliceValue) and isinstance(item, Items):
        _replace_slice(value, index, item)
        return
    if isinstance(number, int) and -len(value.items) <= number < len(value.items):
        value.items[number] = item
    elif value.items and not isinstance(index, (Known, SliceValue)):
        value.items[-1] = item
    else:
        value.items.append(item)


def remove_item(value: Items, index: Value) -> None:
    """Execute `del list[index]` or `del list[a:b]`; elements stay unless they are known to be removed."""
    if isinstance(index, SliceValue) and index.is_whole:
        empty_list(value)
    elif isinstance(index, SliceValue):
        with suppress(TypeError, ValueError):
            del value.items[to_known_slice(index)]
    else:
        number = find_integer(index)
        if number is not None and -len(value.items) <= number < len(value.items):
            del value.items[number]


def empty_list(value: Items) -> None:
    """Remove all elements of a list, the unknown ones included."""
    value.items.clear()
    value.open, value.more, value.grows = False, None, False


def _replace_slice(value: Items, index: SliceValue, item: Items) -> None:
    """Execute `list[a:b] = item`; if the bounds are unknown, the new elements are appended."""
    if index.is_whole:
        empty_list(value)
        value.open, value.more = item.open, item.more
    try:
        value.items[to_known_slice(index)] = item.items
    except (TypeError, ValueError):
        value.items.extend(item.items)


def get_entry(machine: Machine, value: Mapping, index: Value, text: str) -> Value:
    """Evaluate `dict[index]`; create and store a missing entry. For an unknown key, return the last entry with a graph,
    if there is one, else any; in a table of classes, choose one."""
    chosen = choose_entry(machine, value, index)
    if chosen is not None:
        return chosen
    key = make_key(index)
    if key not in value.items:
        machine.fill_table(value, key)
    if key in value.items:
        return value.items[key]
    if value.items and not has_certain_key(index):
        entries = list(value.items.values())
        return next(filter(machine.recorder.is_saved, reversed(entries)), entries[-1])
    unknown = machine.make_unknown(text or "an entry")
    made = machine.call(value.default, [], {}, text) if value.default is not None else unknown
    value.items[key] = made
    return made


def choose_entry(machine: Machine, table: Mapping, index: Value) -> Value | None:
    """Return the entry that an unknown text chooses from a table of classes, the last one first; None for anything
    else."""
    if not isinstance(index, Unknown) or index.tensorlike or not _is_table_of_classes(table):
        return None
    if not index.names:
        index.names = _list_possible_names(table, index)
    name = machine.decide_text(index)
    if name is not None:
        index.truth["==", name] = True
    return table.items.get(name)


def _list_possible_names(table: Mapping, index: Unknown) -> tuple[str, ...]:
    """Return the keys that an unknown text may be, by what comparisons have decided."""
    names = list(map(str, table.items))[::-1]
    equal = [name for name in names if index.truth.get(("==", name))]
    return tuple(equal or [name for name in names if ("==", name) not in index.truth] or names)


def _is_table_of_classes(table: Mapping) -> bool:
    entries = table.items
    return 1 < len(entries) <= _MOST_CHOICES and all(
        isinstance(key, str) and isinstance(entry, Class) for key, entry in entries.items()
    )


_MOST_CHOICES = 16
"""The number of classes in a table among which an unknown text chooses."""


def get_part(machine: Machine, value: Container, index: Value, text: str) -> Value:
    """Evaluate `modules[index]` of a module container."""
    if isinstance(index, SliceValue):
        chosen = get_item(machine, Items("list", list(value.items.values())), index, text)
        items = chosen.items if isinstance(chosen, Items) else []
        return Container(value.kind, {str(i): item for i, item in enumerate(items)})
    name = _find_name(value, index)
    if name in value.items:
        return value.items[name]
    values = list(value.items.values())
    machine.note_missing_pass(value)
    return values[-1] if values else machine.make_unknown(text or "a submodule")


def put_part(value: Container, index: Value, item: Value) -> None:
    """Execute `modules[index] = item`."""
    value.items[_find_name(value, index)] = item


def _find_name(value: Container, index: Value) -> str:
    """Return the name of the part at `index`: an integer counts the parts, whatever their names."""
    key = make_key(index)
    names = list(value.items)
    return names[key] if isinstance(key, int) and -len(names) <= key < len(names) else str(key)
