"""Dicts: made, looked up and changed."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Mapping,
    Native,
    Number,
    Value,
    is_given,
    is_true,
    key_of,
    of_key,
)


@intrinsic("builtins.dict(iterable=(), /, **kwargs)", "collections.OrderedDict(iterable=(), /, **kwargs)")
def _dict(machine: Machine, iterable: Value, kwargs: Mapping) -> Value:
    return _fill(machine, Mapping({}), iterable, kwargs)


@intrinsic("collections.defaultdict(default_factory=None, iterable=(), /, **kwargs)")
def _default_dict(machine: Machine, default_factory: Value, iterable: Value, kwargs: Mapping) -> Value:
    factory = None if isinstance(default_factory, Known) else default_factory
    return _fill(machine, Mapping({}, default=factory), iterable, kwargs)


@intrinsic("collections.Counter(iterable=(), /, **kwds)")
def _counter(machine: Machine, iterable: Value, kwds: Mapping) -> Value:
    """How often something occurs is a number; what occurs is known."""
    made = Mapping({}, default=Native(lambda given, named: Number()))
    counted = iterable.items if isinstance(iterable, Mapping) else map(key_of, elements(machine, iterable))
    made.items.update({key: Number() for key in [*counted, *kwds.items]})
    return made


def _fill(machine: Machine, made: Mapping, iterable: Value, more: Mapping) -> Mapping:
    take(machine, made, iterable)
    made.items.update(more.items)
    return made


def take(machine: Machine, owner: Mapping, given: Value) -> None:
    """Put in what another dict, or an iterable of pairs, holds."""
    if isinstance(given, Mapping):
        owner.items.update(given.items)
        owner.open = owner.open or given.open
        return
    if isinstance(given, Known):  # `()`, nothing
        return
    for pair in elements(machine, given):
        if isinstance(pair, Items) and len(pair.items) == 2:
            owner.items[key_of(pair.items[0])] = pair.items[1]
        else:
            owner.open = True


@intrinsic("builtins.dict.fromkeys(iterable, value=None, /)", "collections.OrderedDict.fromkeys(iterable, value=None)")
def _from_keys(machine: Machine, iterable: Value, value: Value) -> Value:
    return Mapping({key_of(key): value for key in elements(machine, iterable)})


@intrinsic("builtins.dict.items(owner, /)")
def _items(machine: Machine, owner: Mapping) -> Value:
    pairs: list[Value] = [Items("tuple", [of_key(key), value]) for key, value in owner.items.items()]
    return Items("list", pairs, open=owner.open)


@intrinsic("builtins.dict.keys(owner, /)")
def _keys(machine: Machine, owner: Mapping) -> Value:
    return Items("list", [of_key(key) for key in owner.items], open=owner.open)


@intrinsic("builtins.dict.values(owner, /)")
def _values(machine: Machine, owner: Mapping) -> Value:
    return Items("list", list(owner.items.values()), open=owner.open)


@intrinsic("builtins.dict.get(owner, key, default=None, /)")
def _get(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    return _look_up(machine, owner, key, default, text)


@intrinsic("builtins.dict.pop(owner, key, default=..., /)")
def _pop(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    found = _look_up(machine, owner, key, default if is_given(default) else NONE, text)
    owner.items.pop(key_of(key), None)
    return found


@intrinsic("builtins.dict.setdefault(owner, key, default=None, /)")
def _set_default(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    found = _look_up(machine, owner, key, default, text)
    owner.items.setdefault(key_of(key), found)
    return found


def _look_up(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    found = owner.items.get(key_of(key))
    if found is not None:
        return found
    return machine.unknown(text or "an entry") if owner.open else default


@intrinsic("builtins.dict.update(owner, other=(), /, **kwargs)")
def _update(machine: Machine, owner: Mapping, other: Value, kwargs: Mapping) -> Value:
    _fill(machine, owner, other, kwargs)
    return NONE


@intrinsic("builtins.dict.copy(owner, /)")
def _copy(machine: Machine, owner: Mapping) -> Value:
    return Mapping(dict(owner.items), owner.open, owner.default)


@intrinsic("builtins.dict.clear(owner, /)")
def _clear(machine: Machine, owner: Mapping) -> Value:
    owner.items.clear()
    return NONE


@intrinsic("collections.OrderedDict.popitem(owner, last=True)")
def _pop_item(machine: Machine, owner: Mapping, last: Value, text: str) -> Value:
    if not owner.items:
        return machine.unknown(text or "an entry")
    key = next(reversed(owner.items) if is_true(last) else iter(owner.items))
    return Items("tuple", [of_key(key), owner.items.pop(key)])


@intrinsic("collections.OrderedDict.move_to_end(owner, key, last=True)")
def _move_to_end(machine: Machine, owner: Mapping, key: Value, last: Value) -> Value:
    value = owner.items.pop(key_of(key), None)
    if value is not None:
        entries = dict(owner.items)
        owner.items.clear()
        moved = {key_of(key): value}
        owner.items.update({**entries, **moved} if is_true(last) else {**moved, **entries})
    return NONE
