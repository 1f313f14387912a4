"""Methods of lists, dicts, strings and other plain values."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python.operators import constant_text
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Mapping,
    Number,
    Suspended,
    Value,
    is_certain,
    key_of,
    of_key,
)
from inplace_lsp.interpret.torch_api import indexing, modes


def method(
    machine: Machine, owner: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """`owner.name(*arguments)` of a list, tuple, set, dict or constant."""
    if isinstance(owner, Items) and owner.fields and name in ("_replace", "_asdict"):
        named = dict(zip(owner.fields, owner.items, strict=False)) | keywords
        return Mapping({**named}) if name == "_asdict" else owner.holding([*named.values()])
    if isinstance(owner, Items) and name == "enter_context" and arguments and not isinstance(arguments[0], Suspended):
        return modes.push(machine, owner, arguments[0], text)
    if name in _SUBSCRIPTS and not isinstance(owner, Known):
        return _SUBSCRIPTS[name](machine, owner, arguments, text)
    if isinstance(owner, Items):
        return _items(machine, owner, name, arguments, text)
    if isinstance(owner, Mapping):
        return _mapping(machine, owner, name, arguments, keywords, text)
    return _constant(machine, owner, name, arguments, keywords, text)


def _items(machine: Machine, owner: Items, name: str, arguments: list[Value], text: str) -> Value:
    if name in ("append", "add", "appendleft") and arguments:
        owner.items.insert(0, arguments[0]) if name == "appendleft" else owner.items.append(arguments[0])
        return NONE
    if name in ("extend", "update") and arguments:
        owner.items.extend(elements(machine, arguments[0]))
        return NONE
    if name == "insert" and len(arguments) == 2:
        at = arguments[0].value if isinstance(arguments[0], Known) else len(owner.items)
        owner.items.insert(at if isinstance(at, int) else len(owner.items), arguments[1])
        return NONE
    if name in ("pop", "popleft"):
        at = arguments[0].value if arguments and isinstance(arguments[0], Known) else 0 if name == "popleft" else -1
        if owner.items and isinstance(at, int) and -len(owner.items) <= at < len(owner.items):
            return owner.items.pop(at)
        return machine.unknown(text or "an element")
    if name == "clear":
        owner.items.clear()
        return NONE
    if name == "copy":
        return owner.holding(list(owner.items), owner.more)
    if name == "reverse":
        owner.items.reverse()
        return NONE
    if name in ("index", "count") and arguments:
        return _place(owner, name, arguments[0])
    if name == "numel":
        return Number()
    return NONE if name in ("sort", "remove", "discard") else machine.unknown(text or name)


def _place(owner: Items, name: str, value: Value) -> Value:
    """`list.index(value)` or `list.count(value)`, where all elements are certain."""
    if owner.open or not all(map(is_certain, [value, *owner.items])):
        return Number()
    keys = [key_of(one) for one in owner.items]
    if name == "count":
        return Known(keys.count(key_of(value)))
    if key_of(value) not in keys:
        raise Raised("ValueError")
    return Known(keys.index(key_of(value)))


def _mapping(
    machine: Machine, owner: Mapping, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    if name in ("items", "values", "keys"):
        return Items("list", [_entry(key, value, name) for key, value in owner.items.items()], open=owner.open)
    if name in ("get", "pop", "setdefault") and arguments:
        return _look_up(machine, owner, name, arguments, text)
    if name == "update":
        for given in arguments:
            take(machine, owner, given)
        owner.items.update(keywords)
        return NONE
    if name == "copy":
        return Mapping(dict(owner.items), owner.open, owner.default)
    if name == "clear":
        owner.items.clear()
        return NONE
    return machine.unknown(text or name)


def take(machine: Machine, owner: Mapping, given: Value) -> None:
    """Put in what another dict, or an iterable of pairs, holds."""
    if isinstance(given, Mapping):
        owner.items.update(given.items)
        owner.open = owner.open or given.open
        return
    for pair in elements(machine, given):
        if isinstance(pair, Items) and len(pair.items) == 2:
            owner.items[key_of(pair.items[0])] = pair.items[1]
        else:
            owner.open = True


def _entry(key: object, value: Value, name: str) -> Value:
    if name == "values":
        return value
    return Items("tuple", [of_key(key), value]) if name == "items" else of_key(key)


def _look_up(machine: Machine, owner: Mapping, name: str, arguments: list[Value], text: str) -> Value:
    key = key_of(arguments[0])
    default = arguments[1] if len(arguments) > 1 else NONE
    if key in owner.items:
        return owner.items.pop(key) if name == "pop" else owner.items[key]
    if owner.open:
        return machine.unknown(text or "an entry")
    if name == "setdefault":
        owner.items[key] = default
    return default


def _get(machine: Machine, owner: Value, arguments: list[Value], text: str) -> Value:
    return indexing.get(machine, owner, arguments[0], text) if arguments else NONE


def _put(machine: Machine, owner: Value, arguments: list[Value], text: str) -> Value:
    if len(arguments) == 2:
        indexing.put(machine, owner, arguments[0], arguments[1])
    return NONE


def _remove(machine: Machine, owner: Value, arguments: list[Value], text: str) -> Value:
    if arguments:
        indexing.remove(machine, owner, arguments[0])
    return NONE


_SUBSCRIPTS: dict[str, Callable[[Machine, Value, list[Value], str], Value]] = {
    "__getitem__": _get,
    "__setitem__": _put,
    "__delitem__": _remove,
}
"""What a subscript calls, called by its name."""

_TEXT = frozenset(
    "lower upper strip lstrip rstrip replace startswith endswith removeprefix removesuffix format".split()
)


def _constant(
    machine: Machine, owner: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    known = [a.value for a in arguments if isinstance(a, Known)]
    named = {key: a.value for key, a in keywords.items() if isinstance(a, Known)}
    text_method = isinstance(owner, Known) and isinstance(owner.value, str) and name in _TEXT
    if text_method and isinstance(owner, Known) and len(known) + len(named) == len(arguments) + len(keywords):
        made = constant_text(
            str(owner.value) if name == "format" else "", lambda: getattr(owner.value, name)(*known, **named)
        )
        if made is not None:
            return made
    if isinstance(owner, Known) and name in ("split", "splitlines", "rsplit"):
        return Items("list", [], open=True, more=lambda: machine.unknown("string"))
    return machine.unknown(text or name)
