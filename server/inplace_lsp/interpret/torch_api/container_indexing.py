"""Subscripts of lists, dicts, strings and module containers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
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
    name_part,
)
from inplace_lsp.interpret.torch_api.module_tree import Namespace


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


def _find_number(index: Value) -> int | None:
    """Return the integer that an index is known to be, or has in a loop over a range."""
    number = index.value if isinstance(index, Known) else index.hint if isinstance(index, Number) else None
    return number if isinstance(number, int) else None


def get_item(machine: Machine, value: Items, index: Value, text: str) -> Value:
    """Evaluate `list[index]`; for an unknown index, any element stands for the result."""
    if isinstance(index, SliceValue):
        return _get_slice(machine, value, index)
    number = _find_number(index)
    if number is not None:
        if number >= 0:
            to_items(machine, value, min(number, 64) + 1)
        if -len(value.items) <= number < len(value.items):
            return _get_within(machine, value, index, number, text)
    if value.items and not isinstance(index, Known):
        return _find_beyond(machine, value, number, text) if number is not None else value.items[-1]
    if number is not None and number < 0 and value.count_at is not None:
        return value.count_at(number)
    machine.note_missing_pass(value)
    return machine.make_unknown(text or "an element")


def _get_within(machine: Machine, value: Items, index: Value, number: int, text: str) -> Value:
    """Return an element that was seen. If it stands for one beyond, a constant number that does not count from the end
    is not the number of that one: it gets another."""
    element = value.items[number]
    value.reached |= 1 << number % len(value.items)
    if value.beyond and number >= 0 and isinstance(index, Known) and (_STANDS, id(element)) in value.beyond:
        return _remember(value, (_APART, id(element)), element, lambda: _make_another(machine, element, text))
    return element


def _find_beyond(machine: Machine, value: Items, number: int, text: str) -> Value:
    """Return the element at a number beyond those seen, the same each time in one pass of a loop.

    It is one that no number has reached yet; once all are reached, another one like the last.
    """
    last = value.items[-1]

    def choose() -> Value:
        unreached = _choose_unreached_element(value)
        return unreached if unreached is not None else _make_another(machine, last, text)

    return _remember(value, (machine.loop_pass, len(value.items), id(last), number), last, choose)


def _choose_unreached_element(value: Items) -> Value | None:
    """Return the last element that no number has reached, None if there is none; from now on it stands for one
    beyond."""
    places = reversed(range(len(value.items)))
    place = next((at for at in places if not value.reached >> at & 1), None)
    if place is None:
        return None
    value.reached |= 1 << place
    element = value.items[place]
    return _remember(value, (_STANDS, id(element)), element, lambda: element)


def _remember(value: Items, key: Hashable, about: Value, choose: Callable[[], Value]) -> Value:
    """Return the element that a list has under a key, which names the id of another; `choose` gives it the first
    time."""
    if value.beyond is None:
        value.beyond = {}
    if key not in value.beyond:
        value.beyond[key] = choose(), about
    return value.beyond[key][0]


_STANDS, _APART = "stands for one beyond", "is not the one beyond"
"""What is remembered of an element besides numbers."""


def _make_another(machine: Machine, element: Value, text: str) -> Value:
    """Return another element like this one, for a pass of a loop that comes further than the list was seen to.

    A tensor is computed from the same leaves by a graph of its own: what a backward frees, or a write changes, of the
    graph of this one, it does not need. Objects inside lists stay themselves: one may hold the list that it is in.
    """
    if isinstance(element, Items):
        parts = [part if isinstance(part, Instance) else _make_another(machine, part, text) for part in element.items]
        return replace(element, items=parts, none=None, reached=0, beyond=None)
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
        _replace_element(value, number % len(value.items), item)
    elif value.items and not isinstance(index, (Known, SliceValue)):
        _replace_element(value, len(value.items) - 1, item)
    else:
        value.items.append(item)


def _replace_element(value: Items, place: int, item: Value) -> None:
    """Put an element at a place: no number has reached it yet."""
    value.items[place] = item
    value.reached &= ~(1 << place)


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
    value.reached, value.beyond = 0, None


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
    """Evaluate `dict[index]`; create a missing entry, and store it unless it would be an attribute of a module.

    For an unknown key, and for one under which nothing was put but under unknown keys, return the last entry with a
    graph that it may be, if there is one, else any, of data another one for each known key; in a table of classes,
    choose one.
    """
    chosen = choose_entry(machine, value, index)
    if chosen is not None:
        return chosen
    key = make_key(index)
    if key not in value.items:
        machine.fill_table(value, key)
    if key in value.items:
        return value.items[key]
    if entries := _list_possible_entries(value, index):
        return _take_possible_entry(machine, value, index, entries, text)
    unknown = machine.make_unknown(text or "an entry")
    made = machine.call(value.default, [], {}, text) if value.default is not None else unknown
    if not isinstance(value.items, Namespace):
        value.items[key] = made
    return made


def _list_possible_entries(table: Mapping, index: Value) -> list[Value]:
    """Return the entries that a key may stand for which is none of those that are known."""
    if not has_certain_key(index):
        return list(table.items.values())
    if table.open or table.default is not None:
        return []
    return [entry for key, entry in table.items.items() if isinstance(key, Value)]


def _take_possible_entry(machine: Machine, table: Mapping, index: Value, entries: list[Value], text: str) -> Value:
    """Return the entry that a key stands for: of data, which share no memory, two known keys stand for two entries."""
    given = tuple(map(id, entries))
    if not has_certain_key(index) or not all(_is_data(machine, entry) for entry in entries):
        taken: dict[Hashable, Value] = {}
    elif table.told_apart[0] == given:
        taken = table.told_apart[1]
    else:
        taken = {}
        table.told_apart = given, taken
    key = make_key(index)
    if key not in taken:
        free = [entry for entry in entries if all(entry is not other for other in taken.values())]
        found = next(filter(machine.recorder.is_saved, reversed(free)), free[-1] if free else None)
        taken[key] = found if found is not None else machine.make_unknown(text or "an entry", [entries[-1]])
    return taken[key]


def _is_data(machine: Machine, entry: Value) -> bool:
    """Return whether a value is no tensor with a graph, and none that requires grad."""
    tensor = entry.tensor or entry if isinstance(entry, Unknown) else entry
    if isinstance(tensor, Tensor):
        return tensor.node is None and not machine.recorder.requires_grad(tensor).always
    return not (isinstance(tensor, Unknown) and tensor.inputs)


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
    return names[key] if isinstance(key, int) and -len(names) <= key < len(names) else name_part(key)
