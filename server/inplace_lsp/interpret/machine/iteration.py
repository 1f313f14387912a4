"""What a loop or an unpacking finds in a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.state.layout import selected
from inplace_lsp.interpret.state.values import (
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Mapped,
    Mapping,
    Optimizer,
    Suspended,
    Tensor,
    Unknown,
    Value,
    of_key,
)
from inplace_lsp.tape.model import ViewKind

PASSES = 2
"""Elements made up for an iterable of unknown length: the second pass of a loop sees what the first left behind."""
MOST = 32
"""Elements of a known iterable that are walked; the rest is taken to be like them."""


def each(machine: Machine, value: Value, body: Callable[[Value], bool]) -> bool:
    """Run `body` for each element until it returns False; whether all were met."""
    if isinstance(value, Instance) and isinstance(value.cls.lookup("__iter__"), Function):
        made = machine.call(machine.attribute(value, "__iter__"), [], {})
        value = made if made is not value else value
    if isinstance(value, Mapped):
        make = value.make
        return each(machine, value.source, lambda item: (made := make(item)) is None or body(made))
    if isinstance(value, Suspended) and value.walked is None:
        return generators.walk(machine, value, body)
    return all(body(item) for item in elements(machine, value))


def elements(machine: Machine, value: Value) -> Iterator[Value]:
    """The elements a `for` over `value` meets, made as the loop asks for them."""
    if isinstance(value, Items):
        yield from _of_items(value)
    elif isinstance(value, Tensor) or (isinstance(value, Unknown) and value.tensorlike):
        yield from to_items(machine, value, PASSES).items
    elif isinstance(value, Mapping):
        yield from [of_key(key) for key in list(value.items)[:MOST]]
        if value.open and not value.items:
            yield machine.unknown("key")
    elif isinstance(value, Container):
        keys = value.kind in ("ModuleDict", "ParameterDict")
        yield from [Known(key) if keys else item for key, item in list(value.items.items())[:MOST]]
    elif isinstance(value, Known) and isinstance(value.value, str):
        yield from [Known(letter) for letter in value.value[:MOST]]
    elif isinstance(value, Suspended):
        yield from _of_items(generators.settled(machine, value))
    elif isinstance(value, Mapped):
        yield from (made for item in elements(machine, value.source) if (made := value.make(item)) is not None)
    elif isinstance(value, Instance):
        yield from _of_instance(machine, value)
    elif isinstance(value, Unknown):
        for _ in range(PASSES):
            yield machine.element_of(value)
    else:
        for _ in range(PASSES):
            yield machine.unknown("element")


def _of_items(value: Items) -> Iterator[Value]:
    index = 0
    while index < len(value.items) and index < MOST:  # the body may append
        yield value.items[index]
        index += 1
    if value.open and value.more is not None:
        while index < PASSES:
            value.items.append(value.more())
            yield value.items[index]
            index += 1


def _of_instance(machine: Machine, value: Instance) -> Iterator[Value]:
    if isinstance(value.base, Container) and value.cls.lookup("__iter__") is None:
        yield from elements(machine, value.base)
        return
    method = value.cls.lookup("__iter__")
    if method is not None:
        result = machine.call(machine.attribute(value, "__iter__"), [], {})
        if result is not value:
            yield from elements(machine, result)
            return
    for at in range(PASSES):
        if value.cls.lookup("__next__") is not None:
            yield machine.call(machine.attribute(value, "__next__"), [], {})
        elif value.cls.lookup("__getitem__") is not None:
            try:
                item = machine.call(machine.attribute(value, "__getitem__"), [Known(at)], {})
            except Raised:  # `IndexError` ends the loop
                return
            yield item
        else:
            yield machine.unknown("element")


def to_items(machine: Machine, value: Value, wanted: int = PASSES) -> Items:
    """`value` as a sequence; of one of unknown length, `wanted` elements."""
    if isinstance(value, Items):
        while value.open and value.more is not None and len(value.items) < wanted:
            value.items.append(value.more())
        return value
    tensor = value if isinstance(value, Tensor) else None
    if isinstance(value, Unknown) and value.tensorlike:
        tensor = tensor_of(machine.recorder, value)
    if tensor is not None:
        extent = tensor.shape[0] if tensor.shape else None
        rows = [_row(machine, tensor, at) for at in range(min(extent, MOST) if extent is not None else wanted)]
        return Items("list", rows)
    if isinstance(value, Unknown):
        return Items("list", [machine.element_of(value) for _ in range(wanted)], open=True)
    if isinstance(value, (Optimizer, Class)):
        return Items("list", [], open=True)
    return Items("list", list(elements(machine, value)), open=not isinstance(value, (Mapping, Container, Known)))


def _row(machine: Machine, tensor: Tensor, at: int) -> Value:
    """Iterating a tensor is `unbind`: views made at once, which torch does not let be written."""
    if tensor.array:
        return machine.recorder.alias(tensor, tensor.alias, shares_counter=True, array=True)
    row = machine.recorder.view(tensor, "unbind", ViewKind.MULTI_OUTPUT)
    row.shape = tensor.shape[1:] if tensor.shape else None
    shapes.give(row, selected(tensor.layout, 0, at) if tensor.layout is not None and tensor.layout.shape else None)
    return row
