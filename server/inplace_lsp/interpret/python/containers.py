"""Call methods of plain values by their class; make and change lists, tuples, sets and deques."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, Intrinsic, intrinsic
from inplace_lsp.interpret.machine.iteration import find_elements, to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python import texts
from inplace_lsp.interpret.python.aggregates import sort_items
from inplace_lsp.interpret.state.signatures import put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Mapping,
    Number,
    Value,
    find_integer,
    has_certain_key,
    is_true,
    make_key,
)
from inplace_lsp.interpret.torch_api import indexing
from inplace_lsp.interpret.torch_api.container_indexing import empty_list

Keywords = dict[str, Value]


def call_method(
    machine: Machine, owner: Value, name: str, arguments: list[Value], keywords: Keywords, text: str
) -> Value:
    """Call `owner.name(*arguments)` on a list, tuple, set, dict or constant."""
    kind = "dict" if isinstance(owner, Mapping) else owner.kind if isinstance(owner, Items) else ""
    declared = _find_method(kind, name)
    if declared is not None:
        return declared.bind_and_run(machine, put_first(owner, arguments), keywords, text)
    made = texts.call_method(machine, owner, name, arguments, keywords) if isinstance(owner, Known) else None
    return made or machine.unknown_call(text or name, [*arguments, *keywords.values()])


@lru_cache(maxsize=1024)
def _find_method(kind: str, name: str) -> Intrinsic | None:
    """Return the method `name` of the class for that kind of value."""
    found = (INTRINSICS.get(f"{cls}.{name}") for cls in _CLASSES_OF_KIND.get(kind, (f"builtins.{kind}",)))
    return next((method for method in found if method is not None), None)


_CLASSES_OF_KIND = {
    "tuple": ("builtins.tuple", "collections.namedtuple", "torch.Size"),
    "deque": ("collections.deque",),
    "dict": ("builtins.dict", "collections.OrderedDict"),
    "generator": ("types.GeneratorType",),
}
"""The classes that a value of that kind may have, if not just the builtin of that name."""


@intrinsic("builtins.list(iterable=(), /)")
def _make_list(machine: Machine, iterable: Value) -> Value:
    return _make_items("list", machine, iterable)


@intrinsic("builtins.tuple(iterable=(), /)")
def _make_tuple(machine: Machine, iterable: Value) -> Value:
    return _make_items("tuple", machine, iterable)


@intrinsic("builtins.set(iterable=(), /)")
def _make_plain_set(machine: Machine, iterable: Value) -> Value:
    return _make_set("set", machine, iterable)


@intrinsic("builtins.frozenset(iterable=(), /)")
def _make_frozen_set(machine: Machine, iterable: Value) -> Value:
    return _make_set("frozenset", machine, iterable)


@intrinsic("collections.deque(iterable=(), maxlen=None)")
def _make_deque(machine: Machine, iterable: Value, maxlen: Value) -> Value:
    made = _make_items("deque", machine, iterable)
    made.limit = find_integer(maxlen)
    return _shorten_deque(made)


def _make_items(kind: str, machine: Machine, iterable: Value) -> Items:
    """Return a new container with the elements of `iterable`."""
    if isinstance(iterable, Known) and iterable.value == ():
        return Items(kind, [])
    items = to_items(machine, iterable)
    return Items(kind, list(find_elements(machine, items)), items.open, more=items.more)


def _make_set(kind: str, machine: Machine, iterable: Value) -> Items:
    """Return a new set of the elements of `iterable`."""
    made = _make_items(kind, machine, iterable)
    items, made.items = made.items, []
    for item in items:
        _include_item(made, item)
    return made


def _include_item(owner: Items, item: Value) -> None:
    """Add the item to a set."""
    if not has_certain_key(item) or make_key(item) not in map(make_key, owner.items):
        owner.items.append(item)


def _shorten_deque(owner: Items, *, at_end: bool = False) -> Items:
    """Drop the surplus elements of a bounded deque, at its beginning or its end."""
    while owner.limit is not None and len(owner.items) > owner.limit:
        owner.items.pop(-1 if at_end else 0)
    return owner


@intrinsic("builtins.list.append(owner, object, /)", "collections.deque.append(owner, object, /)")
def _append_item(machine: Machine, owner: Items, object: Value) -> Value:
    machine.note_growth(owner)
    owner.items.append(object)
    _shorten_deque(owner)
    return NONE


@intrinsic("builtins.set.add(owner, object, /)")
def _add_to_set(machine: Machine, owner: Items, object: Value) -> Value:
    _include_item(owner, object)
    return NONE


@intrinsic("collections.deque.appendleft(owner, object, /)")
def _append_left(machine: Machine, owner: Items, object: Value) -> Value:
    machine.note_growth(owner)
    owner.items.insert(0, object)
    _shorten_deque(owner, at_end=True)
    return NONE


@intrinsic("builtins.list.extend(owner, iterable, /)", "collections.deque.extend(owner, iterable, /)")
def _extend_list(machine: Machine, owner: Items, iterable: Value) -> Value:
    machine.note_growth(owner)
    owner.items.extend(find_elements(machine, iterable))
    _shorten_deque(owner)
    return NONE


@intrinsic("collections.deque.extendleft(owner, iterable, /)")
def _extend_left(machine: Machine, owner: Items, iterable: Value) -> Value:
    owner.items[:0] = reversed(list(find_elements(machine, iterable)))
    _shorten_deque(owner, at_end=True)
    return NONE


@intrinsic("builtins.set.update(owner, /, *others)")
def _update_set(machine: Machine, owner: Items, others: Items) -> Value:
    for other in others.items:
        for item in find_elements(machine, other):
            _include_item(owner, item)
    return NONE


@intrinsic("builtins.set.union(owner, /, *others)", "builtins.frozenset.union(owner, /, *others)")
def _unite_sets(machine: Machine, owner: Items, others: Items) -> Value:
    made = owner.copy_with_items(list(owner.items), owner.more)
    _update_set(machine, made, others)
    return made


@intrinsic("builtins.list.insert(owner, index, object, /)", "collections.deque.insert(owner, index, object, /)")
def _insert_item(machine: Machine, owner: Items, index: Value, object: Value) -> Value:
    at = find_integer(index)
    end = len(owner.items)
    owner.items.insert(end if at is None else max(-end, min(at, end)), object)
    return NONE


@intrinsic("builtins.list.pop(owner, index=-1, /)")
def _pop_item(machine: Machine, owner: Items, index: Value, text: str) -> Value:
    at = find_integer(index)
    at = -1 if at is None else at
    if -len(owner.items) <= at < len(owner.items):
        return owner.items.pop(at)
    return machine.make_unknown(text or "an element")


@intrinsic("collections.deque.pop(owner, /)", "builtins.set.pop(owner, /)")
def _pop_last(machine: Machine, owner: Items, text: str) -> Value:
    return owner.items.pop() if owner.items else machine.make_unknown(text or "an element")


@intrinsic("collections.deque.popleft(owner, /)")
def _pop_first(machine: Machine, owner: Items, text: str) -> Value:
    return owner.items.pop(0) if owner.items else machine.make_unknown(text or "an element")


@intrinsic("collections.deque.rotate(owner, n=1, /)")
def _rotate_deque(machine: Machine, owner: Items, n: Value) -> Value:
    by = (find_integer(n) or 0) % max(1, len(owner.items))
    owner.items[:] = [*owner.items[-by:], *owner.items[:-by]] if by else owner.items
    return NONE


@intrinsic(
    "builtins.list.remove(owner, value, /)",
    "collections.deque.remove(owner, value, /)",
    "builtins.set.remove(owner, value, /)",
    "builtins.set.discard(owner, value, /)",
)
def _remove_item(machine: Machine, owner: Items, value: Value) -> Value:
    keys = [make_key(item) for item in owner.items]
    if has_certain_key(value) and make_key(value) in keys:
        del owner.items[keys.index(make_key(value))]
    return NONE


@intrinsic("builtins.list.clear(owner, /)", "collections.deque.clear(owner, /)", "builtins.set.clear(owner, /)")
def _clear_items(machine: Machine, owner: Items) -> Value:
    empty_list(owner)
    return NONE


@intrinsic("builtins.list.copy(owner, /)", "collections.deque.copy(owner, /)", "builtins.set.copy(owner, /)")
def _copy_items(machine: Machine, owner: Items) -> Value:
    return owner.copy_with_items(list(owner.items), owner.more)


@intrinsic("builtins.list.reverse(owner, /)", "collections.deque.reverse(owner, /)")
def _reverse_list(machine: Machine, owner: Items) -> Value:
    owner.items.reverse()
    return NONE


@intrinsic("builtins.list.sort(owner, /, *, key=None, reverse=False)")
def _sort_list(machine: Machine, owner: Items, key: Value, reverse: Value) -> Value:
    owner.items[:] = sort_items(machine, owner.items, key, reverse=is_true(reverse))
    return NONE


_ANYWHERE = "a value that stands there twice is the same"


@intrinsic(
    *(f"{cls}.index(owner, value, start=0, stop=..., /)" for cls in ("builtins.list", "builtins.tuple")),
    "collections.deque.index(owner, value, start=0, stop=..., /)",
    start=_ANYWHERE,
    stop=_ANYWHERE,
)
def _find_index(machine: Machine, owner: Items, value: Value) -> Value:
    if not _can_compare(owner, value):
        return Number()
    keys = [make_key(item) for item in owner.items]
    if make_key(value) not in keys:
        raise Raised("ValueError")
    return Known(keys.index(make_key(value)))


@intrinsic(*(f"{cls}.count(owner, value, /)" for cls in ("builtins.list", "builtins.tuple", "collections.deque")))
def _count_equal_items(machine: Machine, owner: Items, value: Value) -> Value:
    return (
        Known([make_key(item) for item in owner.items].count(make_key(value)))
        if _can_compare(owner, value)
        else Number()
    )


def _can_compare(owner: Items, value: Value) -> bool:
    """Return whether it is decidable which elements equal `value`."""
    return not owner.open and all(map(has_certain_key, [value, *owner.items]))


@intrinsic("torch.Size.numel(owner, /)", owner="a number is none of autograd's business")
def _count_size_elements(machine: Machine) -> Value:
    return Number()


@intrinsic("collections.namedtuple._replace(owner, /, **fields)")
def _replace_fields(machine: Machine, owner: Items, fields: Mapping) -> Value:
    return owner.copy_with_items([*({**_entries_by_name(owner), **fields.items}).values()])


@intrinsic("collections.namedtuple._asdict(owner, /)")
def _as_dict(machine: Machine, owner: Items) -> Value:
    return Mapping({**_entries_by_name(owner)})


def _entries_by_name(owner: Items) -> dict[str, Value]:
    """Return the elements of a named tuple by name."""
    return dict(zip(owner.fields, owner.items, strict=False))


_CLASSES = ("builtins.list", "builtins.tuple", "builtins.dict", "collections.deque")


@intrinsic(*(f"{cls}.__getitem__(owner, index, /)" for cls in _CLASSES))
def _get_item(machine: Machine, owner: Value, index: Value, text: str) -> Value:
    return indexing.get_element(machine, owner, index, text)


@intrinsic(*(f"{cls}.__setitem__(owner, index, value, /)" for cls in _CLASSES if cls != "builtins.tuple"))
def _set_item(machine: Machine, owner: Value, index: Value, value: Value) -> Value:
    indexing.put_element(machine, owner, index, value)
    return NONE


@intrinsic(*(f"{cls}.__delitem__(owner, index, /)" for cls in _CLASSES if cls != "builtins.tuple"))
def _delete_item(machine: Machine, owner: Value, index: Value) -> Value:
    indexing.remove_element(machine, owner, index)
    return NONE


@intrinsic("types.GeneratorType.close(owner, /)", owner="a loop over it has ended")
def _close_generator(machine: Machine) -> Value:
    return NONE
