"""Objects of classes whose body is at hand: made, and initialised."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.functions import call_user
from inplace_lsp.interpret.python.standard_library import FIELD
from inplace_lsp.interpret.state.signatures import Parameter, bind, put_first
from inplace_lsp.interpret.state.values import NONE, Class, Function, Instance, Items, Known, Native, Value
from inplace_lsp.interpret.torch_api import custom_function, inherited


def instantiate(
    machine: Machine,
    cls: Class,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str,
    instance: Instance | None = None,
) -> Value:
    """An object of `cls` (or `instance`, a bare one), its `__init__` executed."""
    if custom_function.is_custom(cls):
        return machine.unknown(text or cls.name)
    member = _member_of_enum(cls, arguments) if instance is None else None
    if member is not None:
        return member
    new = cls.lookup("__new__")
    if isinstance(new, Function) and new.frame.globals().model is not None:
        return call_user(machine, new, put_first(cls, arguments), keywords, text)
    instance = instance or Instance(cls)
    init = cls.lookup("__init__")
    if isinstance(init, Function):
        call_user(machine, init, put_first(instance, arguments), keywords, text)
    elif inherited.initialise(machine, instance, arguments, keywords) is NONE and instance.base is None:
        return _set_fields(machine, cls, instance, arguments, keywords, text)
    return instance


def _set_fields(
    machine: Machine, cls: Class, instance: Instance, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Give an object without an `__init__` its fields, as a dataclass does; a named tuple is made of them."""
    names = _field_names(cls)
    binding = bind(_parameters(names), arguments, keywords)
    if binding.surplus and not any(name not in _FIXED for one in cls.lineage() for name in one.library):
        return machine.unknown_call(text or cls.name, [*arguments, *keywords.values()])
    instance.attributes.update(binding.values)
    instance.attributes.update(keywords)
    _fill_in(cls, instance, names)
    if "typing.NamedTuple" in cls.library:
        items = [instance.attributes.get(name) or cls.lookup(name) or NONE for name in names]
        return Items("tuple", items, fields=names, cls=cls)
    finish = cls.lookup("__post_init__")
    if isinstance(finish, Function):
        call_user(machine, finish, [instance], {}, text)
    return instance


_FIXED = ("object", "builtins.object", "typing.NamedTuple")
"""Bases from a library that make no `__init__` which would take more than the fields."""


def _field_names(cls: Class) -> tuple[str, ...]:
    """The fields of a dataclass or named tuple, in order."""
    fields = cls.lookup("__annotated__")
    known = [one for one in fields.items if type(one) is Known] if isinstance(fields, Items) else []
    return tuple([str(one.value) for one in known])


@lru_cache(maxsize=256)
def _parameters(names: tuple[str, ...]) -> tuple[Parameter, ...]:
    """The parameters of the `__init__` that a dataclass gets."""
    return tuple(Parameter(name) for name in names)


def _member_of_enum(cls: Class, arguments: list[Value]) -> Instance | None:
    """`Kind("a")`: the member with that value."""
    wanted = arguments[0] if len(arguments) == 1 and "enum.Enum" in cls.library else None
    for member in cls.members.values() if isinstance(wanted, Known) else ():
        value = member.attributes.get("value") if isinstance(member, Instance) else None
        if isinstance(value, Known) and isinstance(wanted, Known) and value.value == wanted.value:
            return member if isinstance(member, Instance) else None
    return None


def _fill_in(cls: Class, instance: Instance, names: Sequence[str]) -> None:
    """Make the defaults of a dataclass's fields that were not given: each object has its own."""
    for name in names:
        default = cls.lookup(name) if name not in instance.attributes else None
        if isinstance(default, Native) and default.name == FIELD:
            instance.attributes[name] = default.call([], {})
