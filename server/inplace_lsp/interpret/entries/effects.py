"""Find out whether an entry may write a tensor or walk a graph back, by its text and by the values of its names.

An entry that may do neither shows no hazard, whatever it is given, and is not run. Where the text does not tell, the
answer is that it may.
"""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.skipped_code import find_path
from inplace_lsp.interpret.entries.write_syntax import (
    HARMLESS_METHODS,
    WRITING_NAMES,
    BodyReading,
    is_only_arithmetic,
    is_writing_call,
    is_writing_name,
    read_definition,
    read_write_syntax,
)
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python.models import find_in_model
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Container,
    Frame,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Module,
    Number,
    SliceValue,
    Tensor,
    Unknown,
    UserModule,
    Value,
    is_false,
)
from inplace_lsp.source import ir

_HARMLESS_IN_CONSTRUCTORS = frozenset({"apply", *HARMLESS_METHODS})
"""`self.apply(self.init_weights)`: the function that it calls is a separate entry."""
_CARRIES_NO_CODE = frozenset({Tensor, Known, Number, SliceValue, Unknown})
"""Kinds of values of which no use runs code of the program's."""


class Effects:
    """The effects of the definitions that an entry leads to, found once for all entries of a file.

    `examined` are the definitions (by id) that the answers rest on.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.examined: set[int] = set()
        self._seen: set[tuple[int, ...]] = set()
        self._may: dict[tuple[int, ...], frozenset[int]] = {}
        self._kept: list[object] = []

    def may_write_or_walk(self, function: Function, receiver: Value | None) -> bool:
        """Return whether a call of `function` may write a tensor or walk a graph back. `receiver`: its object, if it is
        a method."""
        self._seen.clear()
        self.examined.clear()
        try:
            return self._function_may(function, receiver)
        except (OutOfBudgetError, RecursionError, Raised, TorchError):
            return True

    def may_be_refused(self, statements: Sequence[ir.Statement], function: Function) -> bool:
        """Return whether torch may refuse a write of `statements`, which a constructor has not executed: one of their
        own, or one of a function that is given the object or a part of it.

        What layers are asked to do in place they do later, and `torch.nn.init` writes with grad mode off.
        """
        self._seen.clear()
        self.examined.clear()
        definition = function.definition
        own = definition.parameters[0].name if definition.parameters else ""
        try:
            return any(self._node_may_be_refused(node, function, own) for node in ir.walk_nodes(tuple(statements)))
        except (OutOfBudgetError, RecursionError, Raised, TorchError):
            return True

    def _node_may_be_refused(self, node: object, function: Function, own: str) -> bool:
        """Return whether torch may refuse a write at `node`; the constructor calls its object `own`."""
        if isinstance(node, ir.Attribute):
            is_write = is_writing_name(node.name) and node.name not in _HARMLESS_IN_CONSTRUCTORS
            return is_write and not self._is_initialiser(node, function)
        if isinstance(node, ir.Call):
            return self._call_may_be_refused(node, function, own)
        if isinstance(node, ir.Argument):
            return node.name == "out"
        if isinstance(node, ir.AugAssign) and isinstance(node.target, ir.Name):
            return not is_only_arithmetic(function.definition, node.target.id)
        return read_write_syntax(function.definition).may_write(node)

    def _call_may_be_refused(self, call: ir.Call, function: Function, own: str) -> bool:
        given = (part for argument in call.arguments for part in ir.walk_nodes(argument.value))
        is_given_own = any(isinstance(part, ir.Name) and part.id == own for part in given)
        called = function.frame.look_up(call.function.id) if isinstance(call.function, ir.Name) else None
        if not is_given_own or not isinstance(called, Function):
            return is_writing_call(call)
        return self._function_may(called, None)

    def _is_initialiser(self, node: ir.Attribute, function: Function) -> bool:
        """Return whether a node names a function of `torch.nn.init`."""
        first, *attributes = find_path(node) or ("",)
        value = function.frame.look_up(first) if first else None
        return isinstance(value, Library) and ".".join((value.name, *attributes)).startswith("torch.nn.init.")

    def _function_may(self, function: Function, receiver: Value | None) -> bool:
        """Return whether a call may; False for a function that is being examined."""
        key = id(function.definition), id(receiver)
        if key in self._may:
            self.examined |= self._may[key]
            return True
        if not self._is_new(function.definition, receiver):
            return False
        if not self._body_may(function, receiver):
            return False
        self._may[key] = frozenset(self.examined)
        return True

    def _body_may(self, function: Function, receiver: Value | None) -> bool:
        """Return whether something may that the text of a function does, mentions or has as a default."""
        definition = function.definition
        self.examined.add(id(definition))
        reading = read_definition(definition)
        self.examined |= reading.nested
        if reading.writes or any(map(self._may_when_called, function.defaults.values())):
            return True
        own = definition.parameters[0].name if receiver is not None and definition.parameters else ""
        if self._writes_by_call(reading, function.frame):
            return True
        return any(self._name_may(path, reading, function.frame, own, receiver) for path in reading.names)

    def _name_may(
        self, path: tuple[str, ...], reading: BodyReading, frame: Frame, own: str, receiver: Value | None
    ) -> bool:
        """Return whether something may that the code mentions by a dotted name."""
        first, *attributes = path
        if first == own and receiver is not None:
            return self._attributes_may(receiver, attributes)
        if first == "super":
            return receiver is None or self._may_when_called(receiver)
        if first in reading.local:
            return False
        value = frame.look_up(first)
        return value is not None and self._attributes_may(value, attributes)

    def _writes_by_call(self, reading: BodyReading, frame: Frame) -> bool:
        """Return whether a function of numpy is called for its effect, or with an array to write."""
        return any(_find_library(path, reading, frame) == "numpy" for path in reading.into_arrays)

    def _attributes_may(self, value: Value, attributes: Sequence[str]) -> bool:
        """Return whether the use of an attribute of an attribute ... of `value` may."""
        if not attributes:
            return self._may_when_called(value)
        if isinstance(value, Library):
            return self._library_may(".".join((value.name, *attributes)))
        if not isinstance(value, _WITH_PARTS):
            return self._may_when_called(value)
        found = _find_attribute(value, attributes[0])
        if isinstance(found, Function) and isinstance(value, (Instance, Class)):
            return self._method_may(found, value)
        return self._attributes_may(found, attributes[1:]) if found is not None else self._has_hidden_parts(value)

    def _has_hidden_parts(self, value: Value) -> bool:
        """Return whether an attribute that is not in sight may be code: a method of the program's that is looked up
        otherwise."""
        cls = value.cls if isinstance(value, Instance) else value if isinstance(value, Class) else None
        return cls is not None and any(cls.look_up(name) is not None for name in ("__getattr__", "__getattribute__"))

    def _may_when_called(self, value: Value) -> bool:
        """Return whether any use of a value may: a call, a call of something in it, or of its methods."""
        if type(value) in _CARRIES_NO_CODE:
            return False
        if isinstance(value, Function):
            return self._function_may(value, None)
        if isinstance(value, Bound):
            return self._bound_may(value)
        if isinstance(value, Library):
            return self._library_may(value.name)
        if isinstance(value, Class):
            return self._class_may(value)
        if isinstance(value, (Instance, Module, Container)):
            return self._object_may(value)
        if isinstance(value, (Items, Mapping)):
            parts = value.items if isinstance(value, Items) else value.items.values()
            return self._is_new(value) and any(map(self._may_when_called, list(parts)))
        return True  # a module that is handed on, an iterator, a mode, ...

    def _bound_may(self, value: Bound) -> bool:
        """Return whether a call of a method with its object may."""
        method = value.method
        return is_writing_name(method) if isinstance(method, str) else self._function_may(method, value.self)

    def _method_may(self, method: Function, owner: Instance | Class) -> bool:
        """Return whether a call of a method of `owner` may."""
        takes_object = method.kind != "staticmethod" and not (
            method.kind == "classmethod" and isinstance(owner, Instance)
        )
        return self._function_may(method, owner if takes_object else None)

    def _member_may(self, member: Value, owner: Instance | Class) -> bool:
        """Return whether any use of what a class binds may."""
        return self._method_may(member, owner) if isinstance(member, Function) else self._may_when_called(member)

    def _library_may(self, name: str) -> bool:
        """Return whether a library's function or class may: by its name, or by the model that describes it."""
        parts = name.split(".")
        if is_writing_name(parts[-1]) or parts[-1] == "grad" or not WRITING_NAMES.isdisjoint(parts):
            return True
        described = find_in_model(self._machine, name)
        return described is not None and not isinstance(described, Library) and self._may_when_called(described)

    def _class_may(self, cls: Class) -> bool:
        """Return whether any method of a class, its bases included, may."""
        if not self._is_new(cls):
            return False
        if any("Function" in name for owner in cls.list_lineage() for name in owner.library):
            return True
        return any(self._member_may(member, cls) for member in _list_members(cls))

    def _object_may(self, value: Instance | Module | Container) -> bool:
        """Return whether any method of an object, or of a part of it, may."""
        if not self._is_new(value):
            return False
        parts = list(value.attributes.values())
        if isinstance(value, Module):
            options = (
                held.get(name) for held in (value.arguments, value.attributes) for name in ("inplace", "max_norm")
            )
            if any(option is not None and not _is_off(option) for option in options):
                return True
        elif isinstance(value, Container):
            parts += value.items.values()
        else:
            if value.base is not None:
                parts.append(value.base)
            if any(self._member_may(member, value) for member in _list_members(value.cls)):
                return True
        return any(map(self._may_when_called, parts))

    def _is_new(self, *values: object) -> bool:
        """Return whether these values were not examined together yet, and note that they are now."""
        key = tuple(map(id, values))
        if key in self._seen:
            return False
        self._seen.add(key)
        self._kept.append(values)
        return True


def _find_library(path: tuple[str, ...], reading: BodyReading, frame: Frame) -> str:
    """Return the package that a dotted name belongs to, "" if it is no library's."""
    value = frame.look_up(path[0]) if path[0] not in reading.local else None
    return value.name.partition(".")[0] if isinstance(value, Library) else ""


def _list_members(cls: Class) -> list[Value]:
    return [member for owner in cls.list_lineage() for member in owner.members.values()]


_WITH_PARTS = (UserModule, Instance, Class, Module, Container)


def _find_attribute(value: Value, name: str) -> Value | None:
    """Return what is in sight as an attribute of a module, object, class or layer."""
    if isinstance(value, UserModule):
        return value.frame.look_up(name)
    if isinstance(value, Class):
        return value.look_up(name)
    found = value.attributes.get(name) if isinstance(value, (Instance, Module, Container)) else None
    if found is None and isinstance(value, Instance):
        found = value.cls.look_up(name)
        if found is None and value.base is not None:
            found = _find_attribute(value.base, name)
    return value.items.get(name) if found is None and isinstance(value, Container) else found


def _is_off(option: Value) -> bool:
    """Return whether an option of a layer is known to be False, 0 or None."""
    return is_false(option) or (isinstance(option, Known) and option.value is None)
