"""Find the elements that a loop or an unpacking meets in a value."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import NotFollowedError, Raised
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.layout import select_index
from inplace_lsp.interpret.state.values import (
    Amount,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Mapped,
    Mapping,
    Module,
    Number,
    Optimizer,
    Suspended,
    Tensor,
    Unknown,
    Value,
    make_value_of_key,
)
from inplace_lsp.tape.model import ViewKind

PASSES = 2
"""The number of elements made for an iterable of unknown length: the second pass of a loop sees the effects of the
first."""
MOST = 32
"""The number of elements of a known iterable that are visited; the rest is assumed to be like them."""
FEW = 8
"""The number of modules of one kind, made at one place, that are visited wherever they stand."""


def visit_elements(machine: Machine, value: Value, body: Callable[[Value], bool]) -> bool:
    """Run `body` for each element until it returns False. Return whether all were visited."""
    if isinstance(value, Instance) and isinstance(value.cls.look_up("__iter__"), Function):
        made = machine.call(machine.get_attribute(value, "__iter__"), [], {})
        value = made if made is not value else value
    if isinstance(value, Mapped):
        make = value.make
        return visit_elements(machine, value.source, lambda item: (made := make(item)) is None or body(made))
    if isinstance(value, Suspended) and value.walked is None:
        with suppress(NotFollowedError):
            return generators.walk_generator(machine, value, body)
    return all(body(item) for item in find_elements(machine, value))


def find_elements(machine: Machine, value: Value) -> Iterator[Value]:
    """Yield the elements that a `for` over `value` meets, made as the loop asks for them."""
    iterate = _ITERATORS.get(type(value))
    if iterate is not None:
        return iterate(machine, value)
    return (machine.make_unknown("element") for _ in range(PASSES))


def _iterate_mapping(machine: Machine, value: Mapping) -> Iterator[Value]:
    yield from [make_value_of_key(key) for key in list(value.items)[:MOST]]
    if value.open and not value.items:
        yield machine.make_unknown("key")


def _iterate_container(machine: Machine, value: Container) -> Iterator[Value]:
    if value.kind in ("ModuleDict", "ParameterDict"):
        yield from [Known(key) for key in list(value.items)[:MOST]]
    else:
        yield from list(value.items.values())[:MOST]


def _iterate_constant(machine: Machine, value: Known) -> Iterator[Value]:
    if isinstance(value.value, str):
        yield from [Known(letter) for letter in value.value[:MOST]]
    else:
        yield from [machine.make_unknown("element") for _ in range(PASSES)]


def _iterate_tensor(machine: Machine, value: Tensor) -> Iterator[Value]:
    yield from to_items(machine, value, PASSES).items


def _iterate_unknown(machine: Machine, value: Unknown) -> Iterator[Value]:
    if value.tensorlike:
        yield from to_items(machine, value, PASSES).items
    elif not relative_numbers.is_known_empty(value):
        for _ in range(PASSES):
            yield machine.make_element(value)


def _iterate_generator(machine: Machine, value: Suspended) -> Iterator[Value]:
    yield from _iterate_items(machine, generators.run_to_end(machine, value))


def _iterate_mapped(machine: Machine, value: Mapped) -> Iterator[Value]:
    for item in find_elements(machine, value.source):
        made = value.make(item)
        if made is not None:
            yield made


def _iterate_items(machine: Machine, value: Items) -> Iterator[Value]:
    index = 0
    while index < len(value.items) and index < MOST and not relative_numbers.is_past_end(value, index):  # may append
        yield value.items[index]
        index += 1
    if index >= MOST:
        yield from _pick_rare_modules(value.items)
    if value.open and value.more is not None:
        while index < PASSES:
            value.items.append(value.more())
            yield value.items[index]
            index += 1


def _pick_rare_modules(items: list[Value]) -> Iterator[Value]:
    """Yield the modules behind the first elements of whose kind there were few among these: what a program does to all
    dropouts of a deep network, it does to the last one, too, and to those of the part behind its backbone."""
    met = Tally(filter(None, map(_find_kind, items[:MOST])))
    for item in items[MOST:]:
        kind = _find_kind(item)
        if kind is not None and met[kind] < FEW:
            met[kind] += 1
            yield item


def _find_kind(value: Value) -> object:
    """Return what a module is an object of, and where it is made if torch defines it; None for any other value."""
    if isinstance(value, Module):
        return value.op.name, value.declared
    return value.cls if isinstance(value, Instance) and value.cls.is_module() else None


def _iterate_instance(machine: Machine, value: Instance) -> Iterator[Value]:
    if isinstance(value.base, Container) and value.cls.look_up("__iter__") is None:
        yield from find_elements(machine, value.base)
        return
    method = value.cls.look_up("__iter__")
    if method is not None:
        result = machine.call(machine.get_attribute(value, "__iter__"), [], {})
        if result is not value:
            yield from find_elements(machine, result)
            return
    for at in range(PASSES):
        if value.cls.look_up("__next__") is not None:
            yield machine.call(machine.get_attribute(value, "__next__"), [], {})
        elif value.cls.look_up("__getitem__") is not None:
            try:
                item = machine.call(machine.get_attribute(value, "__getitem__"), [Known(at)], {})
            except Raised:  # `IndexError` ends the loop
                return
            yield item
        else:
            yield machine.make_unknown("element")


def _iterate_class(machine: Machine, value: Class) -> Iterator[Value]:
    """Yield the members of an enum; of another class with a metaclass, unknown elements."""
    if value.is_enum():
        yield from [
            member
            for name, member in list(value.members.items())[:MOST]
            if not name.startswith("_") and not isinstance(member, Function)
        ]
    else:
        yield from [machine.make_unknown("element") for _ in range(PASSES)]


def to_items(machine: Machine, value: Value, wanted: int = PASSES) -> Items:
    """Return `value` as a sequence; of one of unknown length, `wanted` elements."""
    if isinstance(value, Items):
        while value.open and value.more is not None and len(value.items) < wanted:
            value.items.append(value.more())
        return value
    if isinstance(value, Tensor):
        return _make_rows(machine, value, wanted)
    if isinstance(value, Unknown):
        tensor = tensor_of(machine.recorder, value) if value.tensorlike else None
        if tensor is not None:
            return _make_rows(machine, tensor, wanted)
        return Items("list", [machine.make_element(value) for _ in range(wanted)], open=True)
    if isinstance(value, Optimizer):
        return Items("list", [], open=True)
    return Items("list", list(find_elements(machine, value)), open=not _is_whole(value))


def find_length(machine: Machine, value: Value) -> Amount | None:
    """Return how many elements a value has, if that is not known: of a tensor its first extent, the same each time."""
    if isinstance(value, Tensor) and (value.shape is None or value.shape[:1] == (None,)):
        return Amount(machine.find_count("extent 0", value), 0)
    return relative_numbers.find_length(value)


def _is_whole(value: Value) -> bool:
    """Return whether the elements that are known are all that there are."""
    return isinstance(value, (Mapping, Container, Known)) or (isinstance(value, Class) and value.is_enum())


def _make_rows(machine: Machine, tensor: Tensor, wanted: int) -> Items:
    """Return the rows of a tensor, `wanted` of them if their number is not known."""
    extent = tensor.shape[0] if tensor.shape else None
    count = min(extent, MOST) if extent is not None else wanted
    return Items("list", [_make_row(machine, tensor, at) for at in range(count)])


def _make_row(machine: Machine, tensor: Tensor, at: int) -> Value:
    """Return a row of a tensor. Iteration is `unbind`: views made at once, which torch does not allow to be written."""
    if tensor.array:
        if tensor.shape is not None and len(tensor.shape) == 1:
            return Number()
        return machine.recorder.new_alias(tensor, tensor.alias, shares_counter=True, array=True)
    row = machine.recorder.new_view(tensor, "unbind", ViewKind.MULTI_OUTPUT)
    row.shape = tensor.shape[1:] if tensor.shape else None
    shapes.set_layout(
        row, select_index(tensor.layout, 0, at) if tensor.layout is not None and tensor.layout.shape else None
    )
    return row


_ITERATORS: dict[type, Callable[[Machine, Any], Iterator[Value]]] = {
    Items: _iterate_items,
    Tensor: _iterate_tensor,
    Unknown: _iterate_unknown,
    Mapping: _iterate_mapping,
    Container: _iterate_container,
    Known: _iterate_constant,
    Suspended: _iterate_generator,
    Mapped: _iterate_mapped,
    Instance: _iterate_instance,
    Class: _iterate_class,
}
"""The function that iterates each kind of value."""
