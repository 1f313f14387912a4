"""Make and initialise objects of classes whose body is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.functions import call_user
from inplace_lsp.interpret.python.standard_library import FIELD
from inplace_lsp.interpret.state.signatures import Parameter, bind_arguments, put_first
from inplace_lsp.interpret.state.values import NONE, Class, Function, Instance, Items, Known, Native, Unknown, Value
from inplace_lsp.interpret.torch_api import custom_function, torch_bases


def make_instance(
    machine: Machine,
    cls: Class,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str,
    instance: Instance | None = None,
) -> Value:
    """Return what a call of `cls` returns, or `instance`, a bare object of it, with its `__init__` executed."""
    call = cls.look_up_in_metaclass("__call__") if instance is None else None
    if isinstance(call, Function):
        made = call_user(machine, call, put_first(cls, arguments), keywords, text)
        if not isinstance(made, Unknown):
            return made
    return make_plainly(machine, cls, arguments, keywords, text, instance)


def make_plainly(
    machine: Machine,
    cls: Class,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str = "",
    instance: Instance | None = None,
) -> Value:
    """Return what `type.__call__` returns: a new object, made by the `__new__` of the class if it has one."""
    if custom_function.is_custom_function(cls):
        return machine.make_unknown(text or cls.name)
    member = _find_enum_member(cls, arguments) if instance is None else None
    if member is not None:
        return member
    new = cls.look_up("__new__")
    if isinstance(new, Function) and new.frame.find_module_scope().model is not None:
        return call_user(machine, new, put_first(cls, arguments), keywords, text)
    if isinstance(new, Function) and instance is None and not _makes_others(cls):
        return _make_by_new(machine, cls, new, arguments, keywords, text)
    return _initialise_instance(machine, instance or Instance(cls), arguments, keywords, text)


_MAKERS_OF_OTHERS = frozenset((
    "builtins.type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "torch.Tensor", "torch.nn.Parameter",
    "torch.nn.parameter.Parameter",
))  # fmt: skip
"""Library bases, besides those of enums, whose `__new__` makes no plain object: classes, tensors."""


def _makes_others(cls: Class) -> bool:
    """Return whether the `__new__` of a library base makes no plain object."""
    return cls.is_enum() or any(
        name in _MAKERS_OF_OTHERS for ancestor in cls.list_lineage() for name in ancestor.library
    )


def _make_by_new(
    machine: Machine, cls: Class, new: Function, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Return what the user's `__new__` returns, initialised if it is an object of the class; a plain object if that is
    not known."""
    made = call_user(machine, new, put_first(cls, arguments), keywords, text)
    if isinstance(made, Unknown):
        return _initialise_instance(machine, Instance(cls), arguments, keywords, text)
    if not isinstance(made, Instance) or cls not in made.cls.list_lineage():
        return made
    takes_arguments = isinstance(cls.look_up("__init__"), Function) or cls.is_module() or _find_field_names(cls)
    return _initialise_instance(machine, made, arguments, keywords, text) if takes_arguments else made


def make_bare(machine: Machine, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Return what `object.__new__` returns: an object of the class without attributes."""
    cls = arguments[0] if arguments else None
    return Instance(cls) if isinstance(cls, Class) else machine.make_unknown("object.__new__")


def _initialise_instance(
    machine: Machine, instance: Instance, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Execute the `__init__` of an object: its class's, an inherited one of torch's, or a dataclass's."""
    init = instance.cls.look_up("__init__")
    if isinstance(init, Function):
        call_user(machine, init, put_first(instance, arguments), keywords, text)
    elif torch_bases.initialise_base(machine, instance, arguments, keywords) is NONE and instance.base is None:
        return _set_fields(machine, instance.cls, instance, arguments, keywords, text)
    return instance


def _set_fields(
    machine: Machine, cls: Class, instance: Instance, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Set the fields of an object without an `__init__`, as a dataclass does; build a named tuple from them."""
    names = _find_field_names(cls)
    binding = bind_arguments(_make_parameters(names), arguments, keywords)
    if binding.surplus and not _may_take_more(cls):
        return machine.unknown_call(text or cls.name, [*arguments, *keywords.values()])
    instance.attributes.update(binding.values)
    instance.attributes.update(keywords)
    _fill_in_defaults(cls, instance, names)
    if "typing.NamedTuple" in cls.library:
        items = [instance.attributes.get(name) or cls.look_up(name) or NONE for name in names]
        return Items("tuple", items, fields=names, cls=cls)
    finish = cls.look_up("__post_init__")
    if isinstance(finish, Function):
        call_user(machine, finish, [instance], {}, text)
    return instance


def _may_take_more(cls: Class) -> bool:
    """Return whether a base from a library may have an `__init__` that takes more than the fields."""
    return any(name not in _BASES_WITHOUT_INIT for ancestor in cls.list_lineage() for name in ancestor.library)


_BASES_WITHOUT_INIT = ("object", "builtins.object", "typing.NamedTuple")
"""Library bases whose `__init__` takes no more than the fields."""


def _find_field_names(cls: Class) -> tuple[str, ...]:
    """Return the fields of a dataclass or named tuple, in order."""
    fields = cls.look_up("__annotated__")
    known = [field for field in fields.items if type(field) is Known] if isinstance(fields, Items) else []
    return tuple([str(field.value) for field in known])


@lru_cache(maxsize=256)
def _make_parameters(names: tuple[str, ...]) -> tuple[Parameter, ...]:
    """Return the parameters of a dataclass's generated `__init__`."""
    return tuple(Parameter(name) for name in names)


def _find_enum_member(cls: Class, arguments: list[Value]) -> Instance | None:
    """Return the member with that value, for `Kind("a")`; None if there is none."""
    wanted = arguments[0] if len(arguments) == 1 and "enum.Enum" in cls.library else None
    for member in cls.members.values() if isinstance(wanted, Known) else ():
        value = member.attributes.get("value") if isinstance(member, Instance) else None
        if isinstance(value, Known) and isinstance(wanted, Known) and value.value == wanted.value:
            return member if isinstance(member, Instance) else None
    return None


def _fill_in_defaults(cls: Class, instance: Instance, names: Sequence[str]) -> None:
    """Set the fields that the call leaves out to their defaults, new ones for each object."""
    for name in names:
        default = cls.look_up(name) if name not in instance.attributes else None
        if isinstance(default, Native) and default.name == FIELD:
            instance.attributes[name] = default.call([], {})
