"""Make an object old: once its methods may have been called, what they change is not known any more.

A method that is judged on its own has an object that was just made. Its buffer is empty and its counter is 0, so `if
len(self.buffer) < 64: return` leaves each time. Code that may write and that no run has reached so is searched for with
an old object.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import values
from inplace_lsp.interpret.state.values import Instance, Items, Known, Number, Unknown, Value
from inplace_lsp.source import ir
from inplace_lsp.uses.members import CHANGING

_MAKING = frozenset(("__init__", "__post_init__", "__attrs_post_init__", "__new__"))
"""The methods that make an object."""
_STATIC = frozenset(("staticmethod", "classmethod"))


class Step(NamedTuple):
    """What a method does to an attribute: it sets it, to a constant or not, or changes what is in it."""

    kind: Literal["constant", "value", "inside"]
    constant: object = None


class Change(NamedTuple):
    """An attribute of an object that its methods change. The object may lie in another one, the `holder`."""

    owner: Instance
    name: str
    steps: frozenset[Step]
    holder: Value | None

    def forget_value(self) -> None:
        """Forget the value of the attribute."""
        value = self.owner.attributes.get(self.name)
        if isinstance(value, Known):
            self.owner.attributes[self.name] = _make_old_constant(value, self)
        elif isinstance(value, Items):
            value.open = True
        elif isinstance(value, values.Mapping):
            value.open = True
            value.items.update({key: Number() for key, item in value.items.items() if _is_number(item)})


def find_changes(machine: Machine, made: Value | None) -> tuple[Change, ...]:
    """Return what the methods of an object, and of the objects in it, change after it was made."""
    return tuple(
        Change(owner, name, steps, made)
        for owner in _find_objects(made)
        for name, steps in _find_steps(machine, owner).items()
        if _can_age(owner.attributes.get(name)) and not _keeps_value(owner.attributes[name], steps)
    )


def is_read(changes: Sequence[Change], code: Iterable[tuple[ir.Statement, ...]], executed: Container[int]) -> bool:
    """Return whether `code`, or an `executed` method of the objects (by id), names something that changes."""
    names = {change.name for change in changes}
    if any(not names.isdisjoint(_find_attribute_names(body)) for body in code):
        return True
    methods = (method for method in _list_methods(changes) if id(method) in executed)
    return any(not names.isdisjoint(_find_attribute_names(method.body)) for method in methods)


def _list_methods(changes: Sequence[Change]) -> Iterator[ir.FunctionDef]:
    """Yield the methods of the objects that change, with those of their bases."""
    objects = (value for change in changes for value in (change.owner, change.holder) if isinstance(value, Instance))
    definitions = {ancestor.definition for value in objects for ancestor in value.cls.list_lineage()}
    for definition in definitions:
        if definition is not None:
            yield from (node for node in definition.body if isinstance(node, ir.FunctionDef))


@lru_cache(maxsize=4096)
def _find_attribute_names(body: tuple[ir.Statement, ...]) -> frozenset[str]:
    return frozenset(node.name for node in ir.walk_nodes(body) if isinstance(node, ir.Attribute))


def _find_objects(made: Value | None) -> Iterator[Instance]:
    """Yield an object of a user's class, and those in its attributes and lists, each once."""
    seen: set[int] = set()
    waiting = [made]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Items):
            waiting.extend(value.items)
        elif isinstance(value, Instance):
            yield value
            waiting.extend(value.attributes.values())


def _can_age(value: Value | None) -> bool:
    """Return whether a value can be made one that is not known."""
    if isinstance(value, Known):
        return isinstance(value.value, (bool, int, float, str))
    return isinstance(value, (Items, values.Mapping)) and not value.open and getattr(value, "kind", "") != "tuple"


def _keeps_value(value: Value, steps: frozenset[Step]) -> bool:
    """Return whether all that methods do is to set a constant again."""
    return isinstance(value, Known) and all(step == Step("constant", value.value) for step in steps)


def _make_old_constant(value: Known, change: Change) -> Value:
    """Return a number that is not known, or a text that may be any of those that are assigned."""
    if not isinstance(value.value, str):
        return Number()
    others = [step.constant for step in change.steps if isinstance(step.constant, str)]
    return Unknown(change.name, names=tuple(dict.fromkeys((value.value, *sorted(map(str, others))))))


def _is_number(value: Value) -> bool:
    return isinstance(value, Known) and isinstance(value.value, (bool, int, float))


def _find_steps(machine: Machine, owner: Instance) -> Mapping[str, frozenset[Step]]:
    """Return what the methods of an object do to each attribute that they change."""
    found: dict[str, frozenset[Step]] = {}
    for changed in machine.read_classes(owner.cls, _read_steps, "self"):
        for name, steps in changed:
            found[name] = found.get(name, frozenset()) | steps
    return found


def _read_steps(definition: ir.ClassDef, _: str) -> frozenset[tuple[str, frozenset[Step]]]:
    return frozenset(_find_steps_in_class(definition).items())


@lru_cache(maxsize=1024)
def _find_steps_in_class(definition: ir.ClassDef) -> Mapping[str, frozenset[Step]]:
    """Return what the methods of a class that do not make its objects do to each attribute of `self`."""
    methods = {node.name: node for node in definition.body if isinstance(node, ir.FunctionDef) and _has_self(node)}
    making = _find_making_methods(methods)
    found: dict[str, set[Step]] = {}
    for name, method in methods.items():
        if name not in making:
            for attribute, step in _find_steps_in_method(method):
                found.setdefault(attribute, set()).add(step)
    return {name: frozenset(steps) for name, steps in found.items()}


def _has_self(method: ir.FunctionDef) -> bool:
    """Return whether the first parameter of a method is an object of its class."""
    kinds = {node.id for node in method.decorators if isinstance(node, ir.Name)}
    return bool(method.parameters) and kinds.isdisjoint(_STATIC)


def _find_making_methods(methods: Mapping[str, ir.FunctionDef]) -> frozenset[str]:
    """Return the names of the methods that make an object, those that they call included."""
    found: set[str] = set()
    waiting = [name for name in methods if name in _MAKING]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            own = methods[name].parameters[0].name
            read = (_find_own_attribute(node, own) for node in ir.walk_nodes(methods[name].body))
            waiting.extend(called for called in read if called in methods)
    return frozenset(found)


def _find_steps_in_method(method: ir.FunctionDef) -> Iterator[tuple[str, Step]]:
    """Yield each attribute of `self` that a method changes, and how."""
    own = method.parameters[0].name
    for node in ir.walk_nodes(method.body):
        find = _FIND_CHANGED.get(type(node))
        for target, step in find(node) if find is not None else ():
            inside = isinstance(target, ir.Subscript)
            name = _find_own_attribute(_strip_subscripts(target), own)
            if name:
                yield name, Step("inside") if inside else step


def _find_assignment_targets(node: object) -> Iterator[tuple[object, Step]]:
    """Yield the targets of an assignment."""
    assert isinstance(node, (ir.Assign, ir.AugAssign, ir.Annotate))
    constant = isinstance(node.value, ir.Const) and not isinstance(node, ir.AugAssign)
    step = Step("constant", node.value.value) if constant and isinstance(node.value, ir.Const) else Step("value")
    waiting: list[object] = list(node.targets) if isinstance(node, ir.Assign) else [node.target]
    while waiting:
        target = waiting.pop()
        if isinstance(target, ir.Sequence):
            waiting.extend(target.items)
        else:
            yield target, step


def _find_bound(node: object) -> Iterator[tuple[object, Step]]:
    """Yield the variable of a loop."""
    assert isinstance(node, ir.For)
    yield node.target, Step("value")


def _find_changed_container(node: object) -> Iterator[tuple[object, Step]]:
    """Yield the container that a call changes."""
    assert isinstance(node, ir.Call)
    if isinstance(node.function, ir.Attribute) and node.function.name in CHANGING:
        yield node.function.value, Step("inside")


_FIND_CHANGED: dict[type, Callable[[object], Iterator[tuple[object, Step]]]] = {
    ir.Assign: _find_assignment_targets,
    ir.AugAssign: _find_assignment_targets,
    ir.Annotate: _find_assignment_targets,
    ir.For: _find_bound,
    ir.Call: _find_changed_container,
}


def _strip_subscripts(node: object) -> object:
    while isinstance(node, ir.Subscript):
        node = node.value
    return node


def _find_own_attribute(node: object, own: str) -> str:
    """Return the attribute of `self` that a node reads or binds, "" for any other node."""
    is_own = isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == own
    return node.name if is_own and isinstance(node, ir.Attribute) else ""
