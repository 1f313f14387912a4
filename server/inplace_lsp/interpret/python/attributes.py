"""Read, assign and delete attributes of tensors, modules, instances, classes and libraries."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from functools import partial
from typing import Any

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.iteration import find_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python import (
    dispatch,
    imports,
    inherited_parts,
    instances,
    models,
    namespaces,
    source_modules,
    texts,
)
from inplace_lsp.interpret.python.assumed_modules import ASKED_FOR, assume_module, find_parameter, find_part, is_layer
from inplace_lsp.interpret.python.assumed_optimizers import ASKED_OF, assume_optimizer
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.values import (
    NONE,
    Bound,
    Class,
    Computed,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Mode,
    Module,
    Native,
    Number,
    Optimizer,
    Super,
    Suspended,
    Tensor,
    Unknown,
    UserModule,
    Value,
)
from inplace_lsp.interpret.torch_api import modes, modules, optimizers, tensor_attributes, tensor_methods, torch_bases
from inplace_lsp.interpret.torch_api.module_tree import (
    MEMBERS,
    Namespace,
    is_module,
    list_attributes,
    members_of,
    name_tensors,
)
from inplace_lsp.tape.names import names_source_of_data
from inplace_lsp.torch_ops.table import find_overloads, torch_version
from inplace_lsp.uses.members import CHANGING

_SHARED_WITH_TEXTS = frozenset(
    "split sort index_add copy count index type size to eval train apply double float half cuda cpu repeat add name "
    "names map_ storage step view contains format data dim device min max update put unique values "
    "indices".split()
)
_TENSOR_ONLY = frozenset("grad requires_grad requires_grad_ backward detach detach_ numpy is_leaf grad_fn T mT".split())


def read_attribute(machine: Machine, value: Value, name: str, text: str = "") -> Value:
    """Return `value.name`."""
    read = _READERS.get(type(value))
    return read(machine, value, name, text) if read is not None else machine.make_unknown(text or name)


def read_uncalled_attribute(machine: Machine, value: Value, name: str, text: str) -> Value:
    """Return `value.name`, which is not called: where only a method of tensors has that name, it is a setting."""
    if type(value) is Unknown and name not in value.attributes and _is_named_as_method(value, name):
        value.attributes[name] = _make_member(machine, value, name)
    return read_attribute(machine, value, name, text)


def _is_named_as_method(value: Unknown, name: str) -> bool:
    """Return whether an attribute of what is no tensor so far has the name of a tensor's method."""
    if value.tensorlike or value.tensor is not None or value.module is not None or name in _TENSOR_ONLY:
        return False
    return _is_tensor_member(value, name) and not tensor_attributes.is_attribute(name)


def assign_attribute(machine: Machine, value: Value, name: str, item: Value, *, augmented: bool = False) -> None:
    """Execute `value.name = item`."""
    item = machine.settle_comparison(item)
    if isinstance(value, Unknown) and _may_be_assigned_as_tensor(value, name, item):
        value = tensor_of(machine.recorder, value) or value
    if isinstance(value, Tensor):
        tensor_attributes.set_attribute(machine, value, name, item, augmented=augmented)
    elif isinstance(value, Instance):
        _assign_to_instance(machine, value, name, item)
    elif (isinstance(value, Container) and is_module(item)) or isinstance(value, Mapping):
        value.items[name] = item
    elif isinstance(value, (Module, Container, Optimizer, Unknown, Function)):
        value.attributes[name] = item
    elif isinstance(value, Class):
        value.members[name] = item
    elif isinstance(value, UserModule):
        source_modules.set_attribute(value, name, item)


def _may_be_assigned_as_tensor(value: Unknown, name: str, item: Value) -> bool:
    """Return whether an unknown is used as a tensor, or gets an attribute that only tensors are assigned: settings have
    a `data`, too, which is no tensor."""
    return _is_used_as_tensor(value) or name == "requires_grad" or (name == "data" and _is_used_as_tensor(item))


def _is_used_as_tensor(value: Value) -> bool:
    return isinstance(value, Tensor) or (isinstance(value, Unknown) and (value.tensorlike or value.tensor is not None))


def _assign_to_instance(machine: Machine, value: Instance, name: str, item: Value) -> None:
    """Call what the class has for all its attributes (`__setattr__`), or set this one."""
    own = value.cls.look_up("__setattr__")
    if isinstance(own, (Function, Library)):
        machine.call(own, [value, Known(name), item], {})
    else:
        assign_plainly(machine, value, name, item)


def assign_plainly(machine: Machine, value: Instance, name: str, item: Value) -> None:
    """Call the property's setter or the descriptor of the class, or set the attribute of the object."""
    setter = value.cls.look_up(f"{name}.setter")
    descriptor = _find_descriptor_method(value.cls.look_up(name), "__set__")
    if isinstance(setter, Function):
        machine.call(Bound(value, setter), [item], {})
    elif descriptor is not None:
        machine.call(descriptor, [value, item], {})
    elif name == "__dict__" and isinstance(item, Mapping) and value.base is None:
        value.attributes = _find_entries_by_text(item.items)
    else:
        if not _is_kept_by_library(machine, value, item):
            _name_item(value, item, name)
        value.attributes[name] = item
        if isinstance(item, Unknown) and _is_network(machine, value, name, item):
            assume_module(machine, item)
        if isinstance(value.base, Container) and is_module(item):
            value.base.items[name] = item


def _find_entries_by_text(entries: MutableMapping[Any, Value]) -> dict[str, Value]:
    """Return the dict itself if all its keys are texts, which attributes have; else a new one of those that are."""
    if isinstance(entries, Namespace):
        return entries.attributes
    if isinstance(entries, dict) and all(isinstance(key, str) for key in entries):
        return entries
    return {key: value for key, value in entries.items() if isinstance(key, str)}


def _is_network(machine: Machine, owner: Instance, name: str, item: Unknown) -> bool:
    return is_layer(machine, owner, name, item) or inherited_parts.is_asked_for_parameters(machine, owner, name)


def delete_attribute(machine: Machine, value: Value, name: str) -> None:
    """Execute `del value.name`: call the property's deleter, or forget the attribute."""
    deleter = value.cls.look_up(f"{name}.deleter") if isinstance(value, Instance) else None
    if isinstance(deleter, Function):
        machine.call(Bound(value, deleter), [], {})
        return
    if isinstance(value, (Instance, Module, Container, Unknown)):
        value.attributes.pop(name, None)
    if isinstance(value, Container):
        value.items.pop(name, None)


def _is_kept_by_library(machine: Machine, value: Instance, item: Value) -> bool:
    """Return whether an object of a library keeps a tensor or the program's module: its attributes are no names that
    the program's reader knows."""
    return (
        bool(machine.stack)
        and machine.stack[-1].find_module_scope().model is not None
        and (is_module(item) or isinstance(item, Tensor))
        and not value.cls.is_module()
    )


def _name_item(owner: Instance, item: Value, name: str) -> None:
    """Name `item` as a reader of the class of `owner` does, and a module's parameters after the module. Of several ways
    to it from the same object the shortest gives the name; torch itself names what a module holds by the first."""
    if isinstance(item, (Tensor, Module)) and (not item.name or item.name == name):
        item.name = f"self.{name}"
    if is_module(item):
        name_tensors(item, f"self.{name}", () if owner.cls.is_module() else owner.attributes)


def _read_of_tensor(machine: Machine, value: Tensor, name: str, text: str) -> Value:
    found = tensor_attributes.read_attribute(machine, value, name)
    return found if found is not None else Bound(value, name)


def _read_of_library(machine: Machine, value: Library, name: str, text: str) -> Value:
    if name == "__version__" and value.name == "torch":
        return Known(torch_version())
    if name == "__dict__":
        return namespaces.make_namespace(machine, partial(read_attribute, machine, value), text or name)
    owner = imports.find_public_owner(value.name, name)
    full = f"{owner}.{name}"
    found = models.find_in_model(machine, full) if owner in machine.described else None
    return found if found is not None else Library(full)


def _read_of_mode(machine: Machine, value: Mode, name: str, text: str) -> Value:
    """Return `__enter__` or `__exit__` of a grad-mode context manager that is called by name."""
    if name == "__enter__":
        return Native(lambda arguments, keywords: modes.enter_context(machine, value), name)
    if name == "__exit__":
        return _make_exit_method(name, lambda: modes.leave_context(machine, value))
    return machine.make_unknown(text or name)


def _make_exit_method(name: str, leave: Callable[[], None]) -> Native:
    """Return an `__exit__` method that calls `leave` and suppresses no exception."""

    def call_exit(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        leave()
        return NONE

    return Native(call_exit, name)


def _read_of_user_module(machine: Machine, value: UserModule, name: str, text: str) -> Value:
    find = partial(source_modules.find_attribute, machine, value)
    return namespaces.make_namespace(machine, find, text or name) if name == "__dict__" else find(name)


def _read_of_items(machine: Machine, value: Items, name: str, text: str) -> Value:
    if name in value.fields:
        return value.items[value.fields.index(name)]
    if name == "_fields" and value.fields:
        return Items("tuple", [Known(field) for field in value.fields])
    member = value.cls.look_up(name) if value.cls is not None else None
    return _bind_member(machine, value, member) if member is not None else Bound(value, name)


def _read_of_optimizer(machine: Machine, value: Optimizer, name: str, text: str) -> Value:
    held = optimizers.read_attribute(machine, value, name)
    return held if held is not None else Bound(value, name)


def _read_of_generator(machine: Machine, value: Suspended, name: str, text: str) -> Value:
    if value.function.kind == "contextmanager":
        return _read_of_context(machine, value, name, text)
    return read_attribute(machine, generators.run_to_end(machine, value), name, text)


def _read_of_context(machine: Machine, value: Suspended, name: str, text: str) -> Value:
    """Return `__enter__` or `__exit__` of a `@contextmanager` call that is used without `with`."""
    if name == "__enter__":
        return Native(lambda arguments, keywords: generators.enter_context(machine, value), name)
    if name == "__exit__":
        return _make_exit_method(name, lambda: generators.leave_context(machine, value))
    return machine.make_unknown(text or name)


def _read_of_number(machine: Machine, value: Number, name: str, text: str) -> Value:
    return Number() if name in ("real", "imag") else machine.make_unknown(text or name)


def _read_of_function(machine: Machine, value: Function, name: str, text: str) -> Value:
    if name == "register" and value.dispatch is not None:
        return dispatch.make_register(machine, value.dispatch)
    if name in value.attributes:
        return value.attributes[name]
    if name == "__name__" and value.name.isidentifier():  # what registries list functions by
        return Known(value.name)
    return Bound(value, name)


def _read_of_mapping(machine: Machine, value: Mapping, name: str, text: str) -> Value:
    """Return a method, or the entry of that name: a dict with such an attribute holds settings."""
    return value.items[name] if name in value.items and not hasattr(dict, name) else Bound(value, name)


def _bind_method(machine: Machine, value: Value, name: str, text: str) -> Value:
    return Bound(value, name)


def _read_of_unknown(machine: Machine, value: Unknown, name: str, text: str) -> Value:
    if name in CHANGING:  # it is about to be called
        relative_numbers.forget_length(value)
    if name in value.attributes:
        return value.attributes[name]
    if value.names and name in texts.METHODS:
        return Bound(Known(machine.decide_text(value)), name)
    if name in texts.TESTS:
        return Bound(value, name)
    parameter = find_parameter(machine, value, name)
    if parameter is not None:
        return parameter
    if name in ASKED_OF and value.module is None and value.given and assume_optimizer(machine, value):
        return value.attributes[name]
    if name in ASKED_FOR:
        assume_module(machine, value)
    known = _find_known_owner(machine, value, name)
    if known is not None:
        return read_attribute(machine, known, name, text)
    found = _find_member(machine, value, name)
    value.attributes[name] = found
    return found


def _find_member(machine: Machine, value: Unknown, name: str) -> Unknown:
    """Return a part of the module that an unknown stands for, or an unknown attribute."""
    if value.module is None or value.gives_data:
        return _make_member(machine, value, name)
    found = find_part(machine, value, name)
    found.gives_data = names_source_of_data(name)
    return found


def _find_known_owner(machine: Machine, value: Unknown, name: str) -> Value | None:
    """Return the module or the tensor that an unknown stands for, if such values have that attribute."""
    if value.module is not None:
        return value.module if modules.has_method(value.module, name) else None
    return tensor_of(machine.recorder, value) if _is_tensor_member(value, name) else None


def _make_member(machine: Machine, value: Unknown, name: str) -> Unknown:
    """Return the unknown attribute of an unknown value."""
    origin = f"{value.origin}.{name}" if value.origin else name
    member = machine.make_part(value, origin)
    member.graphless = member.graphless or name == "data"
    member.library = f"{value.library}.{name}" if value.library else ""
    return member


def _is_tensor_member(value: Unknown, name: str) -> bool:
    """Return whether `value.name` shows that `value` is a tensor: it is one elsewhere, or only tensors have such a
    member."""
    known = value.tensorlike or value.tensor is not None
    member = bool(find_overloads(f"torch.Tensor.{name}")) or tensor_methods.is_member(name)
    return (member and (known or name not in _SHARED_WITH_TEXTS)) or name in _TENSOR_ONLY


def _read_of_instance(machine: Machine, value: Instance, name: str, text: str) -> Value:
    if name in value.attributes:
        return _compute_attribute(value.attributes[name])
    member = value.cls.look_up(name)
    if member is not None:
        return _bind_member(machine, value, member)
    if name in _READS_BY_NAME:
        return Native(lambda given, named: _read_by_name(machine, value, given, text), name)
    if name in _OF_EVERY_INSTANCE:
        return _OF_EVERY_INSTANCE[name](value)
    inherited_member = _read_inherited_attribute(value, name)
    if inherited_member is not None:
        return inherited_member
    if value.base is not None:
        return read_attribute(machine, value.base, name, text)
    found = call_getattr(machine, value, name)
    return found if found is not None else _make_unknown_attribute(machine, value, name, text)


_FIELDS_BY_NAME = frozenset({"__dataclass_fields__", "__annotations__"})


def _list_fields(cls: Class) -> Mapping:
    """Return the annotated names of a class, with what is not asked about them."""
    names = cls.look_up("__annotated__")
    fields = names.items if isinstance(names, Items) else []
    return Mapping({field.value: Unknown(str(field.value)) for field in fields if isinstance(field, Known)})


def _list_own_attributes(value: Instance) -> Mapping:
    """Return the `__dict__` of an instance."""
    return list_attributes(value) if value.cls.is_module() else Mapping(value.attributes, open=True)


_OF_EVERY_INSTANCE: dict[str, Callable[[Instance], Value]] = {
    "__class__": lambda value: value.cls,
    "__dict__": _list_own_attributes,
    **dict.fromkeys(_FIELDS_BY_NAME, lambda value: _list_fields(value.cls)),
}

_READS_BY_NAME = frozenset({"__getattr__", "__getattribute__"})
"""What every module has, and is called with the name of a part: `self.__getattr__(f"block{i}")`."""


def _read_by_name(machine: Machine, value: Instance, arguments: list[Value], text: str) -> Value:
    name = machine.decide_text(arguments[0]) if len(arguments) == 1 else None
    return read_attribute(machine, value, name, text) if name is not None else machine.make_unknown(text)


def _read_inherited_attribute(value: Instance, name: str) -> Value | None:
    """Return what the object has from `nn.Module` under `name`, None if it has nothing from it."""
    if value.cls.is_module():
        if name == "training":
            value.attributes[name] = Known(True)
            return value.attributes[name]
        if name in MEMBERS:
            return Mapping(members_of(value, name))
    elif not value.cls.library:
        return None
    return Bound(value, name) if _is_method_of_module(value, name) else None


def call_getattr(machine: Machine, value: Instance, name: str) -> Value | None:
    """Return what the class's `__getattr__` returns for a name that nothing in sight sets; None if it raises."""
    fallback = value.cls.look_up("__getattr__")
    if not isinstance(fallback, (Function, Library)):  # or a method of a builtin: `dict.__getitem__`
        return None
    try:
        return machine.call(fallback, [value, Known(name)], {})
    except Raised:
        return None


def _compute_attribute(attribute: Value) -> Value:
    return attribute.compute() if isinstance(attribute, Computed) else attribute


def _make_unknown_attribute(machine: Machine, value: Instance, name: str, text: str) -> Value:
    """Return the unknown that stands for an attribute nothing in sight sets: the same one each time."""
    value.attributes[name] = machine.make_unknown(text or f"{value.name or 'self'}.{name}")
    if value.cls.has_unknown_base():
        inherited_parts.recognise_attribute(machine, value, name)
    return value.attributes[name]


def _find_descriptor_method(member: Value | None, name: str) -> Bound | None:
    """Return the method of a descriptor in the class, None if `member` is no descriptor."""
    method = member.cls.look_up(name) if isinstance(member, Instance) else None
    return Bound(member, method) if isinstance(member, Instance) and isinstance(method, Function) else None


def _bind_member(machine: Machine, value: Value, member: Value) -> Value:
    if not isinstance(member, Function):
        getter = _find_descriptor_method(member, "__get__")
        return machine.call(getter, [value, Unknown("a class")], {}) if getter is not None else member
    if member.kind in ("property", "cached_property"):
        found = machine.call(Bound(value, member), [], {})
        if member.kind == "cached_property" and isinstance(value, Instance):
            value.attributes[member.name] = found
        return found
    if member.kind == "staticmethod" or member.name == "__new__":
        return member
    if member.kind == "classmethod":
        return Bound(value.cls if isinstance(value, Instance) else value, member)
    return Bound(value, member)


def _is_method_of_module(value: Value, name: str) -> bool:
    """Return whether `name` is a method of modules and the object is not an optimizer."""
    return not (isinstance(value, Instance) and isinstance(value.base, Optimizer)) and modules.has_method(value, name)


def _read_of_module(machine: Machine, value: Module | Container, name: str, text: str) -> Value:
    if name in value.attributes:
        return _compute_attribute(value.attributes[name])
    if isinstance(value, Container) and name in value.items:
        return value.items[name]
    if name == "training":
        return Known(True)
    if name == "__dict__" or name in MEMBERS:
        return Mapping(members_of(value, name)) if name in MEMBERS else list_attributes(value)
    if modules.has_method(value, name):
        return Bound(value, name)
    if isinstance(value, Module) and name in value.arguments:
        return value.arguments[name]
    inside = _find_attributes_below(value, name)
    if inside:  # `layer.linear1` of a torch layer that consists of others
        return Container("part", {}, inside)
    found = machine.make_unknown(text or name)
    value.attributes[name] = found
    return found


def _find_attributes_below(value: Module | Container, name: str) -> dict[str, Value]:
    """Return the attributes of a module's part by their names in it."""
    prefix = f"{name}."
    return {own.removeprefix(prefix): held for own, held in value.attributes.items() if own.startswith(prefix)}


def _read_of_class(machine: Machine, value: Class, name: str, text: str) -> Value:
    member = value.look_up(name)
    if member is not None:
        return Bound(value, member) if isinstance(member, Function) and member.kind == "classmethod" else member
    of_metaclass = value.look_up_in_metaclass(name)
    if of_metaclass is not None:
        return _bind_member(machine, value, of_metaclass)
    if name == "apply" and any(base.endswith("Function") for c in value.list_lineage() for base in c.library):
        return Bound(value, "apply")
    if name in _FIELDS_BY_NAME:
        return _list_fields(value)
    if name == "_make" and "typing.NamedTuple" in value.library:
        return Native(lambda given, named: _make_named_tuple(machine, value, given), name)
    return Known(value.name) if name == "__name__" else machine.make_unknown(text or name)


def _make_named_tuple(machine: Machine, cls: Class, arguments: list[Value]) -> Value:
    """Make a named tuple of the elements of an iterable."""
    return machine.call(cls, list(find_elements(machine, arguments[0])) if arguments else [], {})


def _read_of_super(machine: Machine, value: Super, name: str, text: str) -> Value:
    for cls in _find_classes_after(value):
        if name in cls.members:
            return _bind_member(machine, value.self, cls.members[name])
    if name == "__getattr__":
        return Native(_raise_attribute_error, name)
    if isinstance(value.self, Class) and name in _OF_EVERY_CLASS:
        return Native(partial(_OF_EVERY_CLASS[name], machine, value.self), name)
    if isinstance(value.self, Instance) and name in _OF_EVERY_OBJECT:
        return Native(partial(_OF_EVERY_OBJECT[name], machine, value.self), name)
    if _is_method_of_module(value.self, name):
        return Bound(value.self, name)
    if isinstance(value.self, Instance) and value.self.base is not None:
        return read_attribute(machine, value.self.base, name)
    return machine.make_unknown(f"super().{name}")


def _assign_by_name(machine: Machine, instance: Instance, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Execute `super().__setattr__(name, item)`."""
    if len(arguments) == 2 and isinstance(arguments[0], Known) and isinstance(arguments[0].value, str):
        assign_plainly(machine, instance, arguments[0].value, arguments[1])
    return NONE


_OF_EVERY_OBJECT = {"__init__": torch_bases.initialise_base, "__setattr__": _assign_by_name}
"""Attributes that every object has, apart from those of its classes."""


def _make_by_class(machine: Machine, cls: Class, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Execute `super().__call__(...)` of a metaclass."""
    return instances.make_plainly(machine, cls, arguments, keywords)


def _make_bare(machine: Machine, cls: Class, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Execute `super().__new__(cls)`."""
    return instances.make_bare(machine, arguments, keywords)


_OF_EVERY_CLASS = {"__call__": _make_by_class, "__new__": _make_bare}
"""Attributes that every class has, apart from those of its bases."""


def _find_classes_after(value: Super) -> Sequence[Class]:
    """Return the classes that `super()` searches, in order."""
    lineage = _find_lineage(value.self, value.cls)
    return lineage[lineage.index(value.cls) + 1 :] if value.cls in lineage else value.cls.list_lineage()[1:]


def _find_lineage(owner: Value, cls: Class) -> Sequence[Class]:
    """Return the classes in which the members of `owner` are looked up, those of `cls` if its own are not known."""
    if isinstance(owner, Instance):
        return owner.cls.list_lineage()
    return owner.list_lineage() if isinstance(owner, Class) and cls in owner.list_lineage() else cls.list_lineage()


def _raise_attribute_error(arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Raise AttributeError for `super().__getattr__(name)`: a module's members were searched before."""
    raise Raised("AttributeError")


_READERS: dict[type, Callable[[Machine, Any, str, str], Value]] = {
    Unknown: _read_of_unknown,
    Tensor: _read_of_tensor,
    Library: _read_of_library,
    UserModule: _read_of_user_module,
    Instance: _read_of_instance,
    Module: _read_of_module,
    Container: _read_of_module,
    Class: _read_of_class,
    Super: _read_of_super,
    Mode: _read_of_mode,
    Items: _read_of_items,
    Optimizer: _read_of_optimizer,
    Suspended: _read_of_generator,
    Mapping: _read_of_mapping,
    Known: _bind_method,
    Function: _read_of_function,
    Native: _bind_method,
    Number: _read_of_number,
}
"""The function that reads attributes of each kind of value."""
