"""Whether code that a run left out may write a tensor or walk back: by its syntax, and by what it names."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Mapping,
    Module,
    Number,
    Optimizer,
    Value,
    is_false,
)
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk

_WRITING = frozenset("backward step grad apply data numpy untyped_storage load_state_dict apply_".split())
_NO_TENSOR = (Items, Mapping, Known, Number)
_CALLED = ("forward", "__call__")


def writes(node: object) -> bool:
    """Whether `node` is the syntax of a write or a backward."""
    if isinstance(node, ir.Assign):
        return any(isinstance(target, ir.Subscript) for target in node.targets)
    if isinstance(node, ir.Argument):
        return node.name in ("inplace", "out")
    if isinstance(node, ir.Attribute):
        return node.name in _WRITING or (node.name.endswith("_") and node.name[0] != "_")
    return isinstance(node, ir.AugAssign)


class LeftOut:
    """Looks into the code that the runs of one entry left out. `seen` are the definitions that it looked into."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self._known: dict[int, bool] = {}
        self._writers: set[int] = set()
        self._met: set[int] = set()

    def may_write(self, code: Sequence[ir.Statement] | ir.Expr, frame: Frame) -> bool:
        """Whether `code`, left out in `frame`, or what it may call, writes or walks back. Asked once for the same code:
        what the names in it stand for is taken from the first run that left it out."""
        key = id(code[0] if isinstance(code, Sequence) else code)
        if key not in self._known:
            self._met.clear()
            self._known[key] = any(
                (writes(node) and not _spares_tensors(node, frame)) or self._leads_to_write(node, frame, None)
                for node in walk(code)
            )
        return self._known[key]

    def _leads_to_write(self, node: object, frame: Frame, me: tuple[str, Value] | None) -> bool:
        if isinstance(node, ir.FunctionDef):
            self.seen.add(id(node))
        if not isinstance(node, (ir.Name, ir.Attribute)):
            return False
        value = _named(node, frame, me)
        return value is not None and self._writes_when_called(value)

    def _writes_when_called(self, value: Value) -> bool:
        if isinstance(value, Function):
            return self._body(value, None)
        if isinstance(value, Bound):
            return isinstance(value.method, Function) and self._body(value.method, value.self)
        if isinstance(value, Class):
            return self._class(value)
        if isinstance(value, Module):
            return any(_is_on(value.arguments.get(name)) for name in ("inplace", "max_norm"))
        if isinstance(value, Container):
            return any(map(self._writes_when_called, value.items.values()))
        if isinstance(value, Instance):
            methods = (value.cls.lookup(name) for name in _CALLED)
            return any(isinstance(method, Function) and self._body(method, value) for method in methods)
        return isinstance(value, Optimizer)

    def _class(self, cls: Class) -> bool:
        frame = next((m.frame for m in cls.members.values() if isinstance(m, Function)), None)
        return cls.definition is not None and self._definition(cls.definition, frame, None)

    def _body(self, function: Function, me: Value | None) -> bool:
        parameters = function.definition.parameters
        context = (parameters[0].name, me) if me is not None and parameters else None
        return self._definition(function.definition, function.frame, context)

    def _definition(
        self, definition: ir.FunctionDef | ir.Lambda | ir.ClassDef, frame: Frame | None, me: tuple[str, Value] | None
    ) -> bool:
        """Whether the body of `definition` writes, or what it may call; False while it is being looked into."""
        key = id(definition)
        if key not in self._met and key not in self._writers:
            self._met.add(key)
            self.seen.add(key)
            if any(
                writes(node) or (frame is not None and self._leads_to_write(node, frame, me))
                for node in walk(definition.body)
            ):
                self._writers.add(key)
        return key in self._writers


def _named(node: ir.Expr, frame: Frame, me: tuple[str, Value] | None) -> Value | None:
    """What a name, or an attribute of objects in sight, stands for; `me`: the object whose method is read."""
    if isinstance(node, ir.Name):
        return me[1] if me is not None and node.id == me[0] else _variable(node.id, frame)
    if not isinstance(node, ir.Attribute):
        return None
    owner = _named(node.value, frame, me)
    if isinstance(owner, Instance):
        found = owner.attributes.get(node.name) or owner.cls.lookup(node.name)
        return Bound(owner, found) if isinstance(found, Function) else found
    if isinstance(owner, Container):
        return owner.items.get(node.name)
    return None


def _variable(name: str, frame: Frame) -> Value | None:
    """The value of a variable, without executing what binds it."""
    scope: Frame | None = frame
    value = None
    while scope is not None and value is None:
        value, scope = scope.names.get(name), scope.parent
    if value is None or frame.globals().names.get(name) is value:
        frame.globals().asked.add(name)
        value = frame.globals().names.get(name)
    return value


def _spares_tensors(node: object, frame: Frame) -> bool:
    """Whether what is assigned to is a list, a dict or a number now."""
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,) if isinstance(node, ir.AugAssign) else ()
    bases = [target.value if isinstance(target, ir.Subscript) else target for target in targets]
    return bool(bases) and all(
        isinstance(base, ir.Name) and isinstance(_variable(base.id, frame), _NO_TENSOR) for base in bases
    )


def _is_on(value: Value | None) -> bool:
    return value is not None and not is_false(value)
