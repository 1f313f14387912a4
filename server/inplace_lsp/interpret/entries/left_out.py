"""Whether code that a run left out may write a tensor or walk back: by its syntax, and by what it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Module,
    Number,
    Optimizer,
    Tensor,
    Unknown,
    Value,
    is_false,
)
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk

_WRITING = frozenset("backward step grad apply data numpy untyped_storage load_state_dict apply_".split())
_NO_TENSOR = (Items, Mapping, Known, Number)
_NOT_CALLED = frozenset({*_NO_TENSOR, Library, Tensor, Unknown})
"""Values that are nothing of the user's to look into."""
_CALLED = ("forward", "__call__")


def writes(node: object) -> bool:
    """Whether `node` is the syntax of a write or a backward."""
    if isinstance(node, ir.Attribute):
        return node.name in _WRITING or (node.name[-1:] == "_" and node.name[0] != "_")
    if isinstance(node, ir.Argument):
        return node.name in ("inplace", "out") and not (isinstance(node.value, ir.Const) and not node.value.value)
    if isinstance(node, ir.Assign):
        return any(isinstance(target, ir.Subscript) for target in node.targets)
    return isinstance(node, ir.AugAssign)


_MAY_WRITE = frozenset((ir.Attribute, ir.Argument, ir.Assign, ir.AugAssign))
"""The nodes of which `writes` may be true."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """What the text of some code tells: the nodes that write, the functions it defines, and the names in it: each, and
    each attribute of one, as `("self", "norm", "weight")`."""

    writes: tuple[object, ...]
    functions: frozenset[int]
    names: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=4096)
def read_syntax(code: tuple[ir.Statement, ...] | ir.Expr) -> Syntax:
    """Read code, once for all runs that leave it out."""
    nodes = list(walk(code))
    functions = frozenset(id(node) for node in nodes if type(node) is ir.FunctionDef)
    paths = (_path(node) for node in nodes if isinstance(node, (ir.Name, ir.Attribute)))
    may_write = (node for node in nodes if type(node) in _MAY_WRITE)
    return Syntax(tuple(filter(writes, may_write)), functions, tuple(dict.fromkeys(filter(None, paths))))


def _path(node: ir.Expr) -> tuple[str, ...]:
    """A variable and the attributes asked of it, () for attributes of anything else."""
    names: list[str] = []
    while isinstance(node, ir.Attribute):
        names.append(node.name)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ir.Name) else ()


def key_of(code: Sequence[ir.Statement] | ir.Expr) -> int:
    """Return the id of an expression, or of the first of some statements."""
    return id(code[0] if isinstance(code, Sequence) else code)


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
        key = key_of(code)
        if key not in self._known:
            self._met.clear()
            syntax = read_syntax(tuple(code) if isinstance(code, Sequence) else code)
            written = any(not _spares_tensors(node, frame) for node in syntax.writes)
            self._known[key] = written or self._leads_to_write(syntax, frame, None)
        return self._known[key]

    def _leads_to_write(self, syntax: Syntax, frame: Frame, me: tuple[str, Value] | None) -> bool:
        """Whether something that the code names writes when it is called."""
        self.seen |= syntax.functions
        for path in syntax.names:
            value = _named(path, frame, me)
            if value is not None and type(value) not in _NOT_CALLED and self._writes_when_called(value):
                return True
        return False

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
            syntax = read_syntax(definition.body)
            self.seen |= syntax.functions
            if syntax.writes or (frame is not None and self._leads_to_write(syntax, frame, me)):
                self._writers.add(key)
        return key in self._writers


def _named(path: tuple[str, ...], frame: Frame, me: tuple[str, Value] | None) -> Value | None:
    """What a name, or an attribute of objects in sight, stands for; `me`: the object whose method is read."""
    first, *attributes = path
    value = me[1] if me is not None and first == me[0] else _variable(first, frame)
    for name in attributes:
        if isinstance(value, Instance):
            found = value.attributes.get(name) or value.cls.lookup(name)
            value = Bound(value, found) if isinstance(found, Function) else found
        else:
            value = value.items.get(name) if isinstance(value, Container) else None
    return value


def _variable(name: str, frame: Frame) -> Value | None:
    """The value of a variable, without executing what binds it."""
    scope: Frame | None = frame
    value = None
    while scope is not None and value is None:
        value, scope = scope.names.get(name), scope.parent
    module = frame.module or frame
    found = module.names.get(name)
    if value is not None and value is not found:
        return value
    module.asked.add(name)
    return found


def _spares_tensors(node: object, frame: Frame) -> bool:
    """Whether what is assigned to is a list, a dict or a number now."""
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,) if isinstance(node, ir.AugAssign) else ()
    bases = [target.value if isinstance(target, ir.Subscript) else target for target in targets]
    return bool(bases) and all(
        isinstance(base, ir.Name) and isinstance(_variable(base.id, frame), _NO_TENSOR) for base in bases
    )


def _is_on(value: Value | None) -> bool:
    return value is not None and not is_false(value)
