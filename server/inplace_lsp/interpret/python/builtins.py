"""Python's builtin functions and classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import TypeGuard

from inplace_lsp.interpret.machine.iteration import elements, to_items
from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.python import containers
from inplace_lsp.interpret.python.operators import binary
from inplace_lsp.interpret.state.values import (
    NONE,
    Bound,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapped,
    Mapping,
    Module,
    Native,
    Number,
    Super,
    Suspended,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.torch_ops.table import find_module


def call(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call the builtin `name`."""
    handler = _HANDLERS.get(name)
    if handler is None:
        return machine.unknown(text or name, arguments)
    return handler(machine, arguments, keywords, text)


def _range(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """A few numbers: all where few are known, else the first ones, which stand for all."""
    bounds = [a.value if isinstance(a, Known) and isinstance(a.value, int) else None for a in arguments]
    if bounds and None not in bounds and 0 not in bounds[2:]:
        numbers = range(*[b for b in bounds if b is not None])
        if len(numbers) <= _FEW:
            return Items("list", [Known(n) for n in numbers])
        return Items("list", [Number(hint=n) for n in numbers[:_PASSES]], open=True)
    start = bounds[0] if len(bounds) > 1 else 0
    step = bounds[2] if len(bounds) > 2 else 1
    if start is None or not step:
        return Items("list", [Number() for _ in range(_PASSES)])
    return Items("list", [Number(hint=start + i * step) for i in range(_PASSES)])


_FEW = 4
_PASSES = 3


def _enumerate(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if not arguments:
        return NONE
    start = keywords.get("start", arguments[1] if len(arguments) > 1 else Known(0))
    first = start.value if isinstance(start, Known) and isinstance(start.value, int) else 0
    if is_awaited(arguments[0]):
        numbers = count(first)
        return Mapped(arguments[0], lambda item: Items("tuple", [Known(next(numbers)), item]))
    items = list(elements(machine, arguments[0]))
    exact = isinstance(arguments[0], Items | Container | Known) and not getattr(arguments[0], "open", False)
    pairs: list[Value] = [
        Items("tuple", [Known(first + i) if exact else Number(hint=first + i), item]) for i, item in enumerate(items)
    ]
    return Items("iterator", pairs)


def is_awaited(value: Value) -> TypeGuard[Suspended | Mapped]:
    """Whether it is a generator that has not run: it takes turns with the loop over what is made of it."""
    return isinstance(value, Mapped) or (isinstance(value, Suspended) and value.walked is None)


IN_TURNS = frozenset({"builtins.enumerate", "builtins.zip", "builtins.map", "tqdm.tqdm", "tqdm.auto.tqdm"})
"""Functions that ask for an element of their arguments only when they are asked for one themselves."""


def _in_turns(machine: Machine, arguments: list[Value], make: Callable[[list[Value]], Value]) -> Mapped | None:
    """What `make` makes of a row of elements, as a loop asks for them; None if no argument is a generator to wait for.

    The first generator is run in turns with the loop, the others before it.
    """
    leader = next((one for one in arguments if is_awaited(one)), None)
    if leader is None:
        return None
    others = {at: iter(list(elements(machine, one))) for at, one in enumerate(arguments) if one is not leader}

    def row(item: Value) -> Value | None:
        parts = [next(others[at], None) if at in others else item for at in range(len(arguments))]
        known = [part for part in parts if part is not None]
        return make(known) if len(known) == len(parts) else None

    return Mapped(leader, row)


def _zip(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    waiting = _in_turns(machine, arguments, lambda row: Items("tuple", row))
    if waiting is not None:
        return waiting
    columns = [list(elements(machine, a)) for a in arguments]
    if not columns:
        return Items("iterator", [])
    length = min((len(c) for c in columns if c), default=0)
    rows = [[c[i] if i < len(c) else machine.unknown("element") for c in columns] for i in range(length)]
    return Items("iterator", [Items("tuple", row) for row in rows])


def _as_list(kind: str) -> Handler:
    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        if not arguments:
            return Items(kind, [])
        items = to_items(machine, arguments[0])
        return Items(kind, list(elements(machine, items)), items.open, more=items.more)

    return run


def _reversed(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    items = list(elements(machine, arguments[0])) if arguments else []
    return Items("iterator", list(reversed(items)))


def _dict(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    made = Mapping({})
    for argument in arguments[:1]:
        containers.take(machine, made, argument)
    made.items.update(keywords)
    return made


def _map(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) < 2:
        return machine.unknown(text)
    waiting = _in_turns(machine, arguments[1:], lambda row: machine.call(arguments[0], row, {}, text))
    if waiting is not None:
        return waiting
    columns = [list(elements(machine, a)) for a in arguments[1:]]
    rows = zip(*columns, strict=False)
    return Items("iterator", [machine.call(arguments[0], list(row), {}, text) for row in rows])


def _filter(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    items = list(elements(machine, arguments[1])) if len(arguments) > 1 else []
    if arguments and not isinstance(arguments[0], Known):
        items = [i for i in items if machine.truth(machine.call(arguments[0], [i], {}, text))]
    return Items("iterator", items)


def _sum(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    total: Value = keywords.get("start", arguments[1] if len(arguments) > 1 else Known(0))
    for item in elements(machine, arguments[0]) if arguments else ():
        total = binary(machine, "+", total, item, text)
    return total


def _length(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    value = arguments[0] if arguments else NONE
    if isinstance(value, Items | Mapping | Container) and not value.open:
        return Known(len(value.items))
    if isinstance(value, Tensor) and value.shape and value.shape[0] is not None:
        return Known(value.shape[0])
    if isinstance(value, Instance) and value.cls.lookup("__len__") is not None:
        return machine.call(machine.attribute(value, "__len__"), [], {})
    if isinstance(value, Instance) and isinstance(value.base, Container):
        return Known(len(value.base.items))
    return Number()


def _isinstance(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) != 2:
        return Number()
    value, wanted = arguments
    kinds = wanted.items if isinstance(wanted, Items) else [wanted]
    answers = [is_a(value, kind) for kind in kinds]
    if True in answers:
        return Known(True)
    return Number() if None in answers else Known(False)


def is_a(value: Value, kind: Value) -> bool | None:
    """Whether `value` is of the class `kind`, None where that is not known."""
    if isinstance(value, Unknown):
        if isinstance(kind, Library) and kind.name == "torch.Tensor" and (value.tensorlike or value.tensor is not None):
            return True
        return None if not value.tensorlike else False if isinstance(kind, Library) and kind.name in _PLAIN else None
    if isinstance(kind, Class):
        return isinstance(value, Instance) and kind in value.cls.lineage()
    if not isinstance(kind, Library):
        return None
    name = kind.name
    if isinstance(value, Tensor):
        return name == "torch.Tensor" or (name.endswith("Parameter") and value.parameter)
    if isinstance(value, Module):
        return _is_module_of(value, name)
    if isinstance(value, Container):
        return name in (f"torch.nn.{value.kind}", "torch.nn.Module")
    if isinstance(value, Instance):
        inherited = [n for c in value.cls.lineage() for n in c.library]
        return name in inherited or (name == "torch.nn.Module" and value.cls.is_module())
    if isinstance(value, Known):
        kinds = _PLAIN.get(name)
        return isinstance(value.value, kinds) if kinds else False
    if isinstance(value, Items):
        return (
            name == f"builtins.{value.kind}" or (name.startswith("collections.abc.") or None)
            if name not in _PLAIN
            else False
        )
    if isinstance(value, Mapping):
        return name in ("builtins.dict", "collections.abc.Mapping")
    return None


def _is_module_of(value: Module, name: str) -> bool | None:
    if name in (value.op.name, "torch.nn.Module"):
        return True
    other = find_module(name)
    if other is None:
        return None if name.startswith("torch.nn") else False
    # Of torch's public classes those that inherit one another (LazyLinear, ReLU6) call the same function.
    return None if other.call and other.call == value.op.call else False


_PLAIN: dict[str, tuple[type, ...]] = {
    "builtins.int": (int,),
    "builtins.float": (float,),
    "builtins.str": (str,),
    "builtins.bool": (bool,),
    "builtins.bytes": (bytes,),
    "builtins.complex": (complex,),
}


def _super(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    frame = machine.stack[-1] if machine.stack else None
    if len(arguments) == 2 and isinstance(arguments[0], Class):
        return Super(arguments[1], arguments[0])
    if frame is not None and frame.owner is not None and frame.self is not None:
        return Super(frame.self, frame.owner)
    return machine.unknown(text or "super()")


def _getattr(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) > 1 and isinstance(arguments[1], Known) and isinstance(arguments[1].value, str):
        return machine.attribute(arguments[0], arguments[1].value, text)
    return machine.unknown(text)


def _vars(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return machine.attribute(arguments[0], "__dict__", text) if arguments else machine.unknown(text)


def _setattr(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) == 3 and isinstance(arguments[1], Known) and isinstance(arguments[1].value, str):
        machine.set_attribute(arguments[0], arguments[1].value, arguments[2])
    return NONE


def _hasattr(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) != 2 or not isinstance(arguments[1], Known):
        return Number()
    owner, name = arguments[0], str(arguments[1].value)
    if isinstance(owner, Instance):
        if name in owner.attributes or owner.cls.lookup(name) is not None:
            return Known(True)
        if owner.base is None:
            return Number() if owner.cls.unknown_base() else Known(False)
        owner = owner.base
    held = isinstance(owner, Module | Container) and name in owner.attributes
    return Known(True) if held or (isinstance(owner, Container) and name in owner.items) else Number()


def _next(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    value = arguments[0] if arguments else NONE
    if isinstance(value, Items):
        return (
            value.items.pop(0)
            if len(value.items) > 1
            else to_items(machine, value, 1).items[0]
            if value.items
            else machine.unknown(text)
        )
    return next(iter(elements(machine, value)), machine.unknown(text))


def _extreme(name: str) -> Handler:
    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        values = list(elements(machine, arguments[0])) if len(arguments) == 1 else arguments
        if values and all(isinstance(v, Known) and isinstance(v.value, int | float) for v in values):
            numbers = [v.value for v in values if isinstance(v, Known) and isinstance(v.value, int | float)]
            return Known(max(numbers) if name == "max" else min(numbers))
        if "key" in keywords and (chosen := _by_key(machine, name, values, keywords["key"])) is not None:
            return chosen
        if any(isinstance(v, Tensor) for v in values):
            return machine.unknown(text or name, values)
        return Number()

    return run


def _by_key(machine: Machine, name: str, values: list[Value], key: Value) -> Value | None:
    """The value with the largest (smallest) key, None where a key is not known."""
    ranks = [machine.call(key, [value], {}, name) for value in values]
    numbers = [rank.value for rank in ranks if isinstance(rank, Known) and isinstance(rank.value, int | float)]
    if not numbers or len(numbers) != len(values):
        return None
    return values[numbers.index(max(numbers) if name == "max" else min(numbers))]


def _number(convert: Callable[[float], object] | None) -> Handler:
    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        value = arguments[0] if arguments else NONE
        if isinstance(value, Known) and isinstance(value.value, int | float) and convert is not None:
            return Known(convert(value.value))
        if convert is abs and isinstance(value, Tensor):
            return machine.call(Bound(value, "abs"), [], {}, text)
        return value if isinstance(value, Number) else Number()

    return run


def _constant(value: Value) -> Handler:
    return lambda machine, arguments, keywords, text: value


def _some_number(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Number()


def _text(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`str(value)` of a constant."""
    known = arguments[0] if arguments else Known("")
    return Known(str(known.value)) if isinstance(known, Known) else machine.unknown(text or "string")


def _identity(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`id(value)`: a number that tells it from others."""
    known = bool(arguments) and isinstance(arguments[0], Tensor | Module | Container | Instance | Function)
    return Known(id(arguments[0])) if known else Number()


def _quantified(quantifier: Callable[[Iterable[bool]], bool]) -> Handler:
    """`any` or `all` of elements whose truth is known."""

    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        values = list(elements(machine, arguments[0])) if arguments else []
        known = [bool(one.value) for one in values if isinstance(one, Known)]
        decided = (quantifier is any and True in known) or (quantifier is all and False in known)
        whole = len(known) == len(values) and isinstance(arguments[0], Items) and not arguments[0].open
        return Known(quantifier(known)) if decided or whole else Number()

    return run


def _bool(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Known(machine.truth(arguments[0])) if arguments else Known(False)


def _iter(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if not arguments:
        return NONE
    value = arguments[0]
    return Items("iterator", list(value.items), value.open, more=value.more) if isinstance(value, Items) else value


def _type(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) == 1 and isinstance(arguments[0], Instance):
        return arguments[0].cls
    return machine.unknown(text)


def _decorated(kind: str) -> Handler:
    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        if arguments and isinstance(arguments[0], Function):
            arguments[0].kind = kind
        return arguments[0] if arguments else Native(lambda given, named: NONE)

    return run


def _object(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Instance(Class("object", (), (), {}))


_HANDLERS: dict[str, Handler] = {
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "list": _as_list("list"),
    "tuple": _as_list("tuple"),
    "set": _as_list("set"),
    "frozenset": _as_list("set"),
    "sorted": _as_list("list"),
    "reversed": _reversed,
    "dict": _dict,
    "map": _map,
    "filter": _filter,
    "sum": _sum,
    "len": _length,
    "isinstance": _isinstance,
    "super": _super,
    "getattr": _getattr,
    "setattr": _setattr,
    "vars": _vars,
    "hasattr": _hasattr,
    "next": _next,
    "iter": _iter,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "abs": _number(abs),
    "int": _number(int),
    "float": _number(float),
    "round": _number(round),
    "bool": _bool,
    "type": _type,
    "object": _object,
    "staticmethod": _decorated("staticmethod"),
    "classmethod": _decorated("classmethod"),
    "property": _decorated("property"),
    **dict.fromkeys(("print", "open", "delattr"), _constant(NONE)),
    "str": _text,
    "id": _identity,
    "any": _quantified(any),
    "all": _quantified(all),
    **dict.fromkeys(("hash", "callable", "divmod"), _some_number),
}
