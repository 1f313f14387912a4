"""Subscripts of lists, dicts, texts and containers of modules."""

from __future__ import annotations

from contextlib import suppress

from inplace_lsp.interpret.machine.iteration import to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Container,
    Items,
    Known,
    Mapping,
    Number,
    SliceValue,
    Value,
    integer_of,
    is_certain,
    is_none,
    key_of,
)


def slice_of(part: SliceValue) -> slice:
    """A slice of known bounds. Raises TypeError where one is not known."""
    given = (part.lower, part.upper, part.step)
    bounds = [integer_of(value) for value in given]
    if any(b is None and v is not None and not is_none(v) for b, v in zip(bounds, given, strict=True)):
        raise TypeError("not known")
    return slice(*bounds)


def part_of(text: str, index: Value) -> Known | None:
    """A part of a constant text; None where the index is not known, or outside of it."""
    try:
        number = slice_of(index) if isinstance(index, SliceValue) else integer_of(index)
        return Known(text[number]) if number is not None else None
    except (IndexError, TypeError, ValueError):
        return None


def get_item(machine: Machine, value: Items, index: Value, text: str) -> Value:
    """`list[index]`; any element stands for one at an index that is not known."""
    if isinstance(index, SliceValue):
        given = (index.lower, index.upper, index.step)
        bounds = [integer_of(value) for value in given]
        if any(b is None and v is not None for b, v in zip(bounds, given, strict=True)) or bounds[2] == 0:
            return Items(value.kind, list(value.items), open=True)
        if bounds[1] is not None and bounds[1] > 0 and value.open:
            to_items(machine, value, bounds[1])
        return Items(value.kind, value.items[slice(*bounds)], open=value.open and bounds[1] is None, more=value.more)
    number = index.value if isinstance(index, Known) else index.hint if isinstance(index, Number) else None
    if isinstance(number, int):
        if number >= 0:
            to_items(machine, value, min(number, 64) + 1)
        if -len(value.items) <= number < len(value.items):
            return value.items[number]
    if value.items and not isinstance(index, Known):
        return value.items[-1]
    machine.note_missing_pass(value)
    return machine.unknown(text or "an element")


def put_item(value: Items, index: Value, item: Value) -> None:
    """`list[index] = item`."""
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
    """`del list[index]`, `del list[a:b]`; what is not known to be removed stays."""
    if isinstance(index, SliceValue) and index.whole:
        empty(value)
    elif isinstance(index, SliceValue):
        with suppress(TypeError, ValueError):
            del value.items[slice_of(index)]
    else:
        number = integer_of(index)
        if number is not None and -len(value.items) <= number < len(value.items):
            del value.items[number]


def empty(value: Items) -> None:
    """Take everything out of a list, the elements that are not known included."""
    value.items.clear()
    value.open, value.more, value.grows = False, None, False


def _replace_slice(value: Items, index: SliceValue, item: Items) -> None:
    """`list[a:b] = item`; where the bounds are not known, the new elements come on top."""
    if index.whole:
        empty(value)
        value.open, value.more = item.open, item.more
    try:
        value.items[slice_of(index)] = item.items
    except (TypeError, ValueError):
        value.items.extend(item.items)


def get_entry(machine: Machine, value: Mapping, index: Value, text: str) -> Value:
    """`dict[index]`; what is not in it is made and kept."""
    key = key_of(index)
    if key in value.items:
        return value.items[key]
    if value.items and not is_certain(index):
        return list(value.items.values())[-1]
    unknown = machine.unknown(text or "an entry")
    made = machine.call(value.default, [], {}, text) if value.default is not None else unknown
    value.items[key] = made
    return made


def get_part(machine: Machine, value: Container, index: Value, text: str) -> Value:
    """`modules[index]` of a container of modules."""
    if isinstance(index, SliceValue):
        chosen = get_item(machine, Items("list", list(value.items.values())), index, text)
        items = chosen.items if isinstance(chosen, Items) else []
        return Container(value.kind, {str(i): item for i, item in enumerate(items)})
    name = _find_name(value, index)
    if name in value.items:
        return value.items[name]
    values = list(value.items.values())
    machine.note_missing_pass(value)
    return values[-1] if values else machine.unknown(text or "a submodule")


def put_part(value: Container, index: Value, item: Value) -> None:
    """`modules[index] = item`."""
    value.items[_find_name(value, index)] = item


def _find_name(value: Container, index: Value) -> str:
    """Return the name of the part at `index`: numbers count the parts, whatever they are called."""
    key = key_of(index)
    names = list(value.items)
    return names[key] if isinstance(key, int) and -len(names) <= key < len(names) else str(key)
