"""Methods of lists, dicts, strings and other plain values."""

from __future__ import annotations

from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Mapping, Number, Suspended, Value, key_of
from inplace_lsp.interpret.torch_api import modes


def method(
    machine: Machine, owner: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """`owner.name(*arguments)` of a list, tuple, set, dict or constant."""
    if isinstance(owner, Items) and owner.fields and name in ("_replace", "_asdict"):
        named = dict(zip(owner.fields, owner.items, strict=False)) | keywords
        return Mapping({**named}) if name == "_asdict" else owner.holding([*named.values()])
    if isinstance(owner, Items) and name == "enter_context" and arguments and not isinstance(arguments[0], Suspended):
        return modes.push(machine, owner, arguments[0], text)
    if isinstance(owner, Items):
        return _items(machine, owner, name, arguments, text)
    if isinstance(owner, Mapping):
        return _mapping(machine, owner, name, arguments, keywords, text)
    return _constant(machine, owner, name, arguments, text)


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
    if name in ("numel", "count", "index"):
        return Number()
    return NONE if name in ("sort", "remove", "discard") else machine.unknown(text or name)


def _mapping(
    machine: Machine, owner: Mapping, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    if name in ("items", "values", "keys"):
        return Items("list", [_entry(key, value, name) for key, value in owner.items.items()], open=owner.open)
    if name in ("get", "pop", "setdefault") and arguments:
        return _look_up(machine, owner, name, arguments, text)
    if name == "update":
        for given in arguments:
            if isinstance(given, Mapping):
                owner.items.update(given.items)
            else:
                owner.open = True
        owner.items.update(keywords)
        return NONE
    if name == "copy":
        return Mapping(dict(owner.items), owner.open)
    if name == "clear":
        owner.items.clear()
        return NONE
    return machine.unknown(text or name)


def _entry(key: object, value: Value, name: str) -> Value:
    if name == "values":
        return value
    wrapped = Known(key) if isinstance(key, str | int | float | bool | tuple | bytes | type(None)) else key
    return Items("tuple", [wrapped, value]) if name == "items" else wrapped  # type: ignore[list-item, return-value]


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


_TEXT = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "replace", "startswith", "endswith", "removeprefix"})


def _constant(machine: Machine, owner: Value, name: str, arguments: list[Value], text: str) -> Value:
    known = [a.value for a in arguments if isinstance(a, Known)]
    text_method = isinstance(owner, Known) and isinstance(owner.value, str) and name in _TEXT
    if text_method and isinstance(owner, Known) and len(known) == len(arguments):
        try:
            return Known(getattr(owner.value, name)(*known))
        except (TypeError, ValueError):
            pass
    if isinstance(owner, Known) and name in ("split", "splitlines", "rsplit"):
        return Items("list", [], open=True, more=lambda: machine.unknown("string"))
    return machine.unknown(text or name)
