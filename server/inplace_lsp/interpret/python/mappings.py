"""Make, look up and change dicts."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import find_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Function,
    Instance,
    Items,
    Known,
    Mapping,
    Native,
    Number,
    Value,
    is_given,
    is_true,
    make_key,
    make_value_of_key,
)
from inplace_lsp.interpret.torch_api.container_indexing import choose_entry


@intrinsic("builtins.dict(iterable=(), /, **kwargs)", "collections.OrderedDict(iterable=(), /, **kwargs)")
def _make_dict(machine: Machine, iterable: Value, kwargs: Mapping) -> Value:
    return _fill_dict(machine, Mapping({}), iterable, kwargs)


@intrinsic("collections.defaultdict(default_factory=None, iterable=(), /, **kwargs)")
def _default_dict(machine: Machine, default_factory: Value, iterable: Value, kwargs: Mapping) -> Value:
    factory = None if isinstance(default_factory, Known) else default_factory
    return _fill_dict(machine, Mapping({}, default=factory), iterable, kwargs)


@intrinsic("collections.Counter(iterable=(), /, **kwds)")
def _make_counter(machine: Machine, iterable: Value, kwds: Mapping) -> Value:
    """Return a counter with known keys and unknown counts."""
    made = Mapping({}, default=Native(lambda arguments, keywords: Number()))
    counted = iterable.items if isinstance(iterable, Mapping) else map(make_key, find_elements(machine, iterable))
    made.items.update({key: Number() for key in [*counted, *kwds.items]})
    return made


def _fill_dict(machine: Machine, made: Mapping, iterable: Value, more: Mapping) -> Mapping:
    take_entries(machine, made, iterable)
    made.items.update(more.items)
    return made


def find_dict(machine: Machine, value: Value) -> Value:
    """Return the dict with the entries of an object that is a mapping; any other value as it is."""
    if not isinstance(value, Instance):
        return value
    if any("builtins.dict" in cls.library for cls in value.cls.list_lineage()):
        return value.attributes.get("_entries", value)
    if not all(isinstance(value.cls.look_up(name), Function) for name in ("keys", "__getitem__")):
        return value
    keys = list(find_elements(machine, machine.call(machine.get_attribute(value, "keys"), [], {})))
    read = machine.get_attribute(value, "__getitem__")
    return Mapping({make_key(key): machine.call(read, [key], {}) for key in keys})


def take_entries(machine: Machine, owner: Mapping, source: Value) -> None:
    """Add the entries of another dict, or of an iterable of pairs."""
    source = find_dict(machine, source)
    if isinstance(source, Mapping):
        owner.items.update(source.items)
        owner.open = owner.open or source.open
        return
    if isinstance(source, Known):  # `()`, nothing
        return
    for pair in find_elements(machine, source):
        if isinstance(pair, Items) and len(pair.items) == 2:
            owner.items[make_key(pair.items[0])] = pair.items[1]
        else:
            owner.open = True


@intrinsic("builtins.dict.fromkeys(iterable, value=None, /)", "collections.OrderedDict.fromkeys(iterable, value=None)")
def _from_keys(machine: Machine, iterable: Value, value: Value) -> Value:
    return Mapping({make_key(key): value for key in find_elements(machine, iterable)})


@intrinsic("builtins.dict.items(owner, /)")
def _list_items(machine: Machine, owner: Mapping) -> Value:
    pairs: list[Value] = [Items("tuple", [make_value_of_key(key), value]) for key, value in owner.items.items()]
    return Items("list", pairs, open=owner.open)


@intrinsic("builtins.dict.keys(owner, /)")
def _list_keys(machine: Machine, owner: Mapping) -> Value:
    return Items("list", [make_value_of_key(key) for key in owner.items], open=owner.open)


@intrinsic("builtins.dict.values(owner, /)")
def _list_values(machine: Machine, owner: Mapping) -> Value:
    return Items("list", list(owner.items.values()), open=owner.open)


@intrinsic("builtins.dict.get(owner, key, default=None, /)")
def _get_entry(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    return _look_up(machine, owner, key, default, text)


@intrinsic("builtins.dict.pop(owner, key, default=..., /)")
def _pop_entry(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    found = _look_up(machine, owner, key, default if is_given(default) else NONE, text)
    owner.items.pop(make_key(key), None)
    return found


@intrinsic("builtins.dict.setdefault(owner, key, default=None, /)")
def _set_default(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    found = _look_up(machine, owner, key, default, text)
    owner.items.setdefault(make_key(key), found)
    return found


def _look_up(machine: Machine, owner: Mapping, key: Value, default: Value, text: str) -> Value:
    name = make_key(key)
    if name not in owner.items:
        machine.fill_table(owner, name)
    found = owner.items.get(name) or choose_entry(machine, owner, key)
    if found is not None:
        return found
    return machine.make_unknown(text or "an entry") if owner.open else default


@intrinsic("builtins.dict.update(owner, other=(), /, **kwargs)")
def _update_dict(machine: Machine, owner: Mapping, other: Value, kwargs: Mapping) -> Value:
    _fill_dict(machine, owner, other, kwargs)
    return NONE


@intrinsic("builtins.dict.copy(owner, /)")
def _copy_dict(machine: Machine, owner: Mapping) -> Value:
    return Mapping(dict(owner.items), owner.open, owner.default)


@intrinsic("builtins.dict.clear(owner, /)")
def _clear_dict(machine: Machine, owner: Mapping) -> Value:
    owner.items.clear()
    return NONE


@intrinsic("collections.OrderedDict.popitem(owner, last=True)")
def _pop_item(machine: Machine, owner: Mapping, last: Value, text: str) -> Value:
    if not owner.items:
        return machine.make_unknown(text or "an entry")
    key = next(reversed(owner.items) if is_true(last) else iter(owner.items))
    return Items("tuple", [make_value_of_key(key), owner.items.pop(key)])


@intrinsic("collections.OrderedDict.move_to_end(owner, key, last=True)")
def _move_to_end(machine: Machine, owner: Mapping, key: Value, last: Value) -> Value:
    value = owner.items.pop(make_key(key), None)
    if value is not None:
        entries = dict(owner.items)
        owner.items.clear()
        moved = {make_key(key): value}
        owner.items.update({**entries, **moved} if is_true(last) else {**moved, **entries})
    return NONE
