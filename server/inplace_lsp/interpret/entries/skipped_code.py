"""Find out whether code that a run skipped may write a tensor, walk back or save, by its syntax and names."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

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
    Optimizer,
    Tensor,
    Unknown,
    Value,
    is_false,
)
from inplace_lsp.source import ir
from inplace_lsp.source.ir import walk_nodes

_WRITING = frozenset("backward step grad apply data numpy untyped_storage load_state_dict apply_".split())
_NO_TENSOR = (Items, Mapping, Known, Number)
_NOT_CALLED = frozenset({*_NO_TENSOR, Library, Tensor, Unknown})
"""Kinds of values that contain no code of the user's."""
_CALLED = ("forward", "__call__")


def is_write_syntax(node: object) -> bool:
    """Return whether `node` is the syntax of a write or a backward."""
    if type(node) not in _MAY_WRITE:
        return False
    if isinstance(node, ir.Attribute):
        return node.name in _WRITING or (node.name[-1:] == "_" and node.name[0] != "_")
    if isinstance(node, ir.Argument):
        return node.name in ("inplace", "out") and not (isinstance(node.value, ir.Const) and not node.value.value)
    if isinstance(node, ir.Assign):
        return any(isinstance(target, ir.Subscript) for target in node.targets)
    return isinstance(node, ir.AugAssign)


_MAY_WRITE = frozenset((ir.Attribute, ir.Argument, ir.Assign, ir.AugAssign))
"""The nodes that may be the syntax of a write."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax of some code: the nodes that write, the functions it defines, the dotted names in it, as `("self",
    "norm", "weight")`, and the names of which it only reads attributes."""

    writes: tuple[object, ...]
    functions: frozenset[int]
    names: tuple[tuple[str, ...], ...]
    only_read: frozenset[str]


@lru_cache(maxsize=4096)
def read_syntax(code: tuple[ir.Statement, ...] | ir.Expr) -> Syntax:
    """Return the syntax of code, read once for all runs that skip it."""
    nodes = list(walk_nodes(code))
    functions = frozenset(id(node) for node in nodes if type(node) is ir.FunctionDef)
    paths = (find_path(node) for node in nodes if isinstance(node, (ir.Name, ir.Attribute)))
    return Syntax(
        tuple(filter(is_write_syntax, nodes)),
        functions,
        tuple(dict.fromkeys(filter(None, paths))),
        _find_only_read(nodes),
    )


def _find_only_read(nodes: Sequence[object]) -> frozenset[str]:
    """Return the names that stand only where an attribute of them is read, as `fn` in `fn.__name__`."""
    bases = {id(node.value) for node in nodes if isinstance(node, ir.Attribute)}
    names = [node for node in nodes if isinstance(node, ir.Name)]
    read = {node.id for node in names if id(node) in bases}
    return frozenset(read.difference(node.id for node in names if id(node) not in bases))


def find_path(node: ir.Expr) -> tuple[str, ...]:
    """Return a variable and the attributes read from it, () for attributes of anything else."""
    names: list[str] = []
    while isinstance(node, ir.Attribute):
        names.append(node.name)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ir.Name) else ()


def find_code_key(code: Sequence[ir.Statement] | ir.Expr) -> int:
    """Return the id of an expression, or of the first of some statements."""
    return id(code[0] if isinstance(code, Sequence) else code)


class SkippedCode:
    """Examine the code that the runs of one entry skipped. `seen` are the definitions that were examined."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self._answers: dict[int, bool] = {}
        self._saving: dict[int, bool] = {}
        self._writers: set[int] = set()
        self._visited: set[int] = set()

    def may_write(self, code: Sequence[ir.Statement] | ir.Expr, frame: Frame) -> bool:
        """Return whether `code`, skipped in `frame`, or its callees, may write or walk back.

        The answer is cached: names in the code have the values of the first run that skipped it.
        """
        key = find_code_key(code)
        if key not in self._answers:
            self._visited.clear()
            syntax = read_syntax(tuple(code) if isinstance(code, Sequence) else code)
            written = any(not _spares_tensors(node, frame) for node in syntax.writes)
            self._answers[key] = written or self._leads_to_write(syntax, frame, None)
        return self._answers[key]

    def may_save(self, code: Sequence[ir.Statement] | ir.Expr, frame: Frame) -> bool:
        """Return whether `code`, skipped in `frame`, may compute something that saves a tensor.

        It does not if it only makes objects, calls builtins and computes with numbers. The answer is cached.
        """
        key = find_code_key(code)
        if key not in self._saving:
            nodes = walk_nodes(tuple(code) if isinstance(code, Sequence) else code)
            self._saving[key] = any(_may_compute(node, frame) for node in nodes)
        return self._saving[key]

    def _leads_to_write(self, syntax: Syntax, frame: Frame, receiver: tuple[str, Value] | None) -> bool:
        """Return whether something that the code names writes when it is called."""
        self.seen |= syntax.functions
        for path in syntax.names:
            value = _find_value(path, frame, receiver)
            if value is None or type(value) in _NOT_CALLED:
                continue
            if type(value) is Function and len(path) == 1 and path[0] in syntax.only_read:
                continue
            if self._writes_when_called(value):
                return True
        return False

    def _writes_when_called(self, value: Value) -> bool:
        match value:
            case Function():
                return self._body_writes(value, None)
            case Bound(method=Function() as method):
                return self._body_writes(method, value.self)
            case Class():
                return self._class_writes(value)
            case Module():
                return any(_is_on(value.arguments.get(name)) for name in ("inplace", "max_norm"))
            case Container():
                return any(map(self._writes_when_called, value.items.values()))
            case Instance():
                methods = (value.cls.look_up(name) for name in _CALLED)
                return any(isinstance(method, Function) and self._body_writes(method, value) for method in methods)
            case _:
                return isinstance(value, Optimizer)

    def _class_writes(self, cls: Class) -> bool:
        frame = next((m.frame for m in cls.members.values() if isinstance(m, Function)), None)
        return cls.definition is not None and self._definition_writes(cls.definition, frame, None)

    def _body_writes(self, function: Function, receiver: Value | None) -> bool:
        parameters = function.definition.parameters
        context = (parameters[0].name, receiver) if receiver is not None and parameters else None
        return self._definition_writes(function.definition, function.frame, context)

    def _definition_writes(
        self,
        definition: ir.FunctionDef | ir.Lambda | ir.ClassDef,
        frame: Frame | None,
        receiver: tuple[str, Value] | None,
    ) -> bool:
        """Return whether the body of `definition`, or its callees, write; False while that is being examined."""
        key = id(definition)
        if key not in self._visited and key not in self._writers:
            self._visited.add(key)
            self.seen.add(key)
            syntax = read_syntax(definition.body)
            self.seen |= syntax.functions
            if syntax.writes or (frame is not None and self._leads_to_write(syntax, frame, receiver)):
                self._writers.add(key)
        return key in self._writers


def _find_value(path: tuple[str, ...], frame: Frame, receiver: tuple[str, Value] | None) -> Value | None:
    """Return the value of a dotted name, None if it is not in sight; `receiver`: the object whose method is read."""
    first, *attributes = path
    value = receiver[1] if receiver is not None and first == receiver[0] else _find_variable(first, frame)
    for name in attributes:
        if isinstance(value, Instance):
            found = value.attributes.get(name) or value.cls.look_up(name)
            value = Bound(value, found) if isinstance(found, Function) else found
        else:
            value = value.items.get(name) if isinstance(value, Container) else None
    return value


def _find_variable(name: str, frame: Frame) -> Value | None:
    """Return the value of a variable, without executing the unit that binds it."""
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


def is_plain_callee(function: ir.Expr) -> bool:
    """Return whether a callee is the bare name of a class or a builtin: no method of an object, no helper."""
    return isinstance(function, ir.Name) and (function.id in _BUILTINS or function.id[:1].isupper())


_BUILTINS = frozenset(vars(builtins))


def _may_compute(node: object, frame: Frame) -> bool:
    """Return whether a node is an operator that may stand between tensors, or a call of anything but a class."""
    if isinstance(node, ir.Call):
        path = find_path(node.function)
        return not is_plain_callee(node.function) and not (path and path[-1][:1].isupper())
    if isinstance(node, ir.BinOp):
        return not (_is_number(node.left, frame) and _is_number(node.right, frame))
    return False


def _is_number(node: ir.Expr, frame: Frame) -> bool:
    """Return whether an operand is no tensor, by the value that its name has now."""
    if isinstance(node, ir.BinOp):
        return _is_number(node.left, frame) and _is_number(node.right, frame)
    path = find_path(node)
    value = _find_value(path, frame, None) if path else None
    if isinstance(value, Unknown):
        return not value.tensorlike and value.tensor is None
    return isinstance(node, ir.Const) or isinstance(value, _NO_TENSOR)


def _spares_tensors(node: object, frame: Frame) -> bool:
    """Return whether the target of an assignment is a list, a dict or a number now."""
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,) if isinstance(node, ir.AugAssign) else ()
    bases = [target.value if isinstance(target, ir.Subscript) else target for target in targets]
    return bool(bases) and all(
        isinstance(base, ir.Name) and isinstance(_find_variable(base.id, frame), _NO_TENSOR) for base in bases
    )


def _is_on(value: Value | None) -> bool:
    return value is not None and not is_false(value)
