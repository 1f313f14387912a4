"""Methods of plain values, found by their class; lists, tuples, sets and deques are made and changed here."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, Intrinsic, intrinsic
from inplace_lsp.interpret.machine.iteration import elements, to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python import texts
from inplace_lsp.interpret.python.aggregates import in_order
from inplace_lsp.interpret.state.signatures import put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Mapping,
    Number,
    Value,
    integer_of,
    is_certain,
    is_true,
    key_of,
)
from inplace_lsp.interpret.torch_api import indexing
from inplace_lsp.interpret.torch_api.container_indexing import empty

Keywords = dict[str, Value]


def method(machine: Machine, owner: Value, name: str, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    """`owner.name(*arguments)` of a list, tuple, set, dict or constant."""
    kind = "dict" if isinstance(owner, Mapping) else owner.kind if isinstance(owner, Items) else ""
    declared = _declared(kind, name)
    if declared is not None:
        return declared.call(machine, put_first(owner, arguments), keywords, text)
    made = texts.method(machine, owner, name, arguments, keywords) if isinstance(owner, Known) else None
    return made or machine.unknown_call(text or name, [*arguments, *keywords.values()])


@lru_cache(maxsize=1024)
def _declared(kind: str, name: str) -> Intrinsic | None:
    """The method `name` of the class of that kind of value."""
    found = (INTRINSICS.get(f"{cls}.{name}") for cls in _STANDS_FOR.get(kind, (f"builtins.{kind}",)))
    return next((one for one in found if one is not None), None)


_STANDS_FOR = {
    "tuple": ("builtins.tuple", "collections.namedtuple", "torch.Size"),
    "deque": ("collections.deque",),
    "dict": ("builtins.dict", "collections.OrderedDict"),
    "generator": ("types.GeneratorType",),
}
"""The classes of which a value of that kind may be, if they are not just the builtin of that name."""


@intrinsic("builtins.list(iterable=(), /)")
def _list(machine: Machine, iterable: Value) -> Value:
    return _make("list", machine, iterable)


@intrinsic("builtins.tuple(iterable=(), /)")
def _tuple(machine: Machine, iterable: Value) -> Value:
    return _make("tuple", machine, iterable)


@intrinsic("builtins.set(iterable=(), /)")
def _set(machine: Machine, iterable: Value) -> Value:
    return _make_set("set", machine, iterable)


@intrinsic("builtins.frozenset(iterable=(), /)")
def _frozenset(machine: Machine, iterable: Value) -> Value:
    return _make_set("frozenset", machine, iterable)


@intrinsic("collections.deque(iterable=(), maxlen=None)")
def _deque(machine: Machine, iterable: Value, maxlen: Value) -> Value:
    made = _make("deque", machine, iterable)
    made.limit = integer_of(maxlen)
    return _shorten(made)


def _make(kind: str, machine: Machine, iterable: Value) -> Items:
    """A new container of what is in `iterable`."""
    if isinstance(iterable, Known) and iterable.value == ():
        return Items(kind, [])
    items = to_items(machine, iterable)
    return Items(kind, list(elements(machine, items)), items.open, more=items.more)


def _make_set(kind: str, machine: Machine, iterable: Value) -> Items:
    """A new set of what is in `iterable`, each item once."""
    made = _make(kind, machine, iterable)
    items, made.items = made.items, []
    for item in items:
        _include(made, item)
    return made


def _include(owner: Items, item: Value) -> None:
    """Put the item into a set."""
    if not is_certain(item) or key_of(item) not in map(key_of, owner.items):
        owner.items.append(item)


def _shorten(owner: Items, *, at_end: bool = False) -> Items:
    """Drop what is too much for a deque of limited length, at its beginning or at its end."""
    while owner.limit is not None and len(owner.items) > owner.limit:
        owner.items.pop(-1 if at_end else 0)
    return owner


@intrinsic("builtins.list.append(owner, object, /)", "collections.deque.append(owner, object, /)")
def _append(machine: Machine, owner: Items, object: Value) -> Value:
    machine.note_growth(owner)
    owner.items.append(object)
    _shorten(owner)
    return NONE


@intrinsic("builtins.set.add(owner, object, /)")
def _add(machine: Machine, owner: Items, object: Value) -> Value:
    _include(owner, object)
    return NONE


@intrinsic("collections.deque.appendleft(owner, object, /)")
def _append_left(machine: Machine, owner: Items, object: Value) -> Value:
    machine.note_growth(owner)
    owner.items.insert(0, object)
    _shorten(owner, at_end=True)
    return NONE


@intrinsic("builtins.list.extend(owner, iterable, /)", "collections.deque.extend(owner, iterable, /)")
def _extend(machine: Machine, owner: Items, iterable: Value) -> Value:
    machine.note_growth(owner)
    owner.items.extend(elements(machine, iterable))
    _shorten(owner)
    return NONE


@intrinsic("collections.deque.extendleft(owner, iterable, /)")
def _extend_left(machine: Machine, owner: Items, iterable: Value) -> Value:
    owner.items[:0] = reversed(list(elements(machine, iterable)))
    _shorten(owner, at_end=True)
    return NONE


@intrinsic("builtins.set.update(owner, /, *others)")
def _update(machine: Machine, owner: Items, others: Items) -> Value:
    for other in others.items:
        for item in elements(machine, other):
            _include(owner, item)
    return NONE


@intrinsic("builtins.set.union(owner, /, *others)", "builtins.frozenset.union(owner, /, *others)")
def _union(machine: Machine, owner: Items, others: Items) -> Value:
    made = owner.holding(list(owner.items), owner.more)
    _update(machine, made, others)
    return made


@intrinsic("builtins.list.insert(owner, index, object, /)", "collections.deque.insert(owner, index, object, /)")
def _insert(machine: Machine, owner: Items, index: Value, object: Value) -> Value:
    at = integer_of(index)
    owner.items.insert(at if at is not None else len(owner.items), object)
    return NONE


@intrinsic("builtins.list.pop(owner, index=-1, /)")
def _pop(machine: Machine, owner: Items, index: Value, text: str) -> Value:
    at = integer_of(index)
    at = -1 if at is None else at
    if -len(owner.items) <= at < len(owner.items):
        return owner.items.pop(at)
    return machine.unknown(text or "an element")


@intrinsic("collections.deque.pop(owner, /)", "builtins.set.pop(owner, /)")
def _pop_last(machine: Machine, owner: Items, text: str) -> Value:
    return owner.items.pop() if owner.items else machine.unknown(text or "an element")


@intrinsic("collections.deque.popleft(owner, /)")
def _pop_first(machine: Machine, owner: Items, text: str) -> Value:
    return owner.items.pop(0) if owner.items else machine.unknown(text or "an element")


@intrinsic("collections.deque.rotate(owner, n=1, /)")
def _rotate(machine: Machine, owner: Items, n: Value) -> Value:
    by = (integer_of(n) or 0) % max(1, len(owner.items))
    owner.items[:] = [*owner.items[-by:], *owner.items[:-by]] if by else owner.items
    return NONE


@intrinsic(
    "builtins.list.remove(owner, value, /)",
    "collections.deque.remove(owner, value, /)",
    "builtins.set.remove(owner, value, /)",
    "builtins.set.discard(owner, value, /)",
)
def _remove(machine: Machine, owner: Items, value: Value) -> Value:
    keys = [key_of(one) for one in owner.items]
    if is_certain(value) and key_of(value) in keys:
        del owner.items[keys.index(key_of(value))]
    return NONE


@intrinsic("builtins.list.clear(owner, /)", "collections.deque.clear(owner, /)", "builtins.set.clear(owner, /)")
def _clear(machine: Machine, owner: Items) -> Value:
    empty(owner)
    return NONE


@intrinsic("builtins.list.copy(owner, /)", "collections.deque.copy(owner, /)", "builtins.set.copy(owner, /)")
def _copy(machine: Machine, owner: Items) -> Value:
    return owner.holding(list(owner.items), owner.more)


@intrinsic("builtins.list.reverse(owner, /)", "collections.deque.reverse(owner, /)")
def _reverse(machine: Machine, owner: Items) -> Value:
    owner.items.reverse()
    return NONE


@intrinsic("builtins.list.sort(owner, /, *, key=None, reverse=False)")
def _sort(machine: Machine, owner: Items, key: Value, reverse: Value) -> Value:
    owner.items[:] = in_order(machine, owner.items, key, reverse=is_true(reverse))
    return NONE


_ANYWHERE = "a value that stands there twice is the same"


@intrinsic(
    *(f"{cls}.index(owner, value, start=0, stop=..., /)" for cls in ("builtins.list", "builtins.tuple")),
    "collections.deque.index(owner, value, start=0, stop=..., /)",
    start=_ANYWHERE,
    stop=_ANYWHERE,
)
def _index(machine: Machine, owner: Items, value: Value) -> Value:
    if not _can_compare(owner, value):
        return Number()
    keys = [key_of(one) for one in owner.items]
    if key_of(value) not in keys:
        raise Raised("ValueError")
    return Known(keys.index(key_of(value)))


@intrinsic(*(f"{cls}.count(owner, value, /)" for cls in ("builtins.list", "builtins.tuple", "collections.deque")))
def _count(machine: Machine, owner: Items, value: Value) -> Value:
    return Known([key_of(one) for one in owner.items].count(key_of(value))) if _can_compare(owner, value) else Number()


def _can_compare(owner: Items, value: Value) -> bool:
    """Whether it can be told which of the elements equal `value`."""
    return not owner.open and all(map(is_certain, [value, *owner.items]))


@intrinsic("torch.Size.numel(owner, /)", owner="a number is none of autograd's business")
def _numel(machine: Machine) -> Value:
    return Number()


@intrinsic("collections.namedtuple._replace(owner, /, **fields)")
def _replace(machine: Machine, owner: Items, fields: Mapping) -> Value:
    return owner.holding([*({**_entries_by_name(owner), **fields.items}).values()])


@intrinsic("collections.namedtuple._asdict(owner, /)")
def _as_dict(machine: Machine, owner: Items) -> Value:
    return Mapping({**_entries_by_name(owner)})


def _entries_by_name(owner: Items) -> dict[str, Value]:
    """The elements of a named tuple by their names."""
    return dict(zip(owner.fields, owner.items, strict=False))


_CLASSES = ("builtins.list", "builtins.tuple", "builtins.dict", "collections.deque")


@intrinsic(*(f"{cls}.__getitem__(owner, index, /)" for cls in _CLASSES))
def _get_item(machine: Machine, owner: Value, index: Value, text: str) -> Value:
    return indexing.get(machine, owner, index, text)


@intrinsic(*(f"{cls}.__setitem__(owner, index, value, /)" for cls in _CLASSES if cls != "builtins.tuple"))
def _set_item(machine: Machine, owner: Value, index: Value, value: Value) -> Value:
    indexing.put(machine, owner, index, value)
    return NONE


@intrinsic(*(f"{cls}.__delitem__(owner, index, /)" for cls in _CLASSES if cls != "builtins.tuple"))
def _delete_item(machine: Machine, owner: Value, index: Value) -> Value:
    indexing.remove(machine, owner, index)
    return NONE


@intrinsic("types.GeneratorType.close(owner, /)", owner="a loop over it has ended")
def _close(machine: Machine) -> Value:
    return NONE
