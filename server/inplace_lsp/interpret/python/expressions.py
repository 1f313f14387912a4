"""The value of an expression."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any

from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.iteration import each, elements, to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import operators
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import (
    NONE,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Number,
    SliceValue,
    Tensor,
    Unknown,
    Value,
    is_certain,
    key_of,
)
from inplace_lsp.interpret.torch_api import indexing
from inplace_lsp.source import ir


@lru_cache(maxsize=8192)
def text_of(node: ir.Expr | None) -> str:
    """`node` as a reader would name it: `x`, `self.norm`, `model(x)`; "" for what has no short name."""
    if isinstance(node, ir.Name):
        return node.id
    if isinstance(node, ir.Attribute):
        inner = text_of(node.value)
        return f"{inner}.{node.name}" if inner else node.name
    if isinstance(node, ir.Call):
        inner = text_of(node.function)
        arguments = ", ".join(text_of(a.value) or "..." for a in node.arguments)
        return f"{inner}({arguments})" if len(arguments) <= 30 else f"{inner}(...)"
    if isinstance(node, ir.Subscript):
        inner = text_of(node.value)
        index = text_of(node.index) or (repr(node.index.value) if isinstance(node.index, ir.Const) else "...")
        return f"{inner}[{index}]" if inner else ""
    return ""


def _name(machine: Machine, node: ir.Name, frame: Frame) -> Value:
    value = frame.lookup(node.id)
    if value is not None:
        return value
    if node.id in _BUILTINS:
        return Library(f"builtins.{node.id}")
    value = machine.unknown(node.id)
    frame.globals().names[node.id] = value
    return value


def _const(machine: Machine, node: ir.Const, frame: Frame) -> Value:
    return Known(node.value)


def _attribute(machine: Machine, node: ir.Attribute, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    return machine.attribute(value, node.name, text_of(node))


def _subscript(machine: Machine, node: ir.Subscript, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    return indexing.get(machine, value, machine.evaluate(node.index, frame), text_of(node))


def _slice(machine: Machine, node: ir.Slice, frame: Frame) -> Value:
    parts = (
        machine.evaluate(part, frame) if part is not None else None for part in (node.lower, node.upper, node.step)
    )
    return SliceValue(*parts)


def _call(machine: Machine, node: ir.Call, frame: Frame) -> Value:
    function = machine.evaluate(node.function, frame)
    arguments: list[Value] = []
    keywords: dict[str, Value] = {}
    for argument in node.arguments:
        value = machine.evaluate(argument.value, frame)
        if argument.star == 1:
            arguments.extend(to_items(machine, value).items)
        elif argument.star == 2:
            if isinstance(value, Mapping):
                keywords.update({k: v for k, v in value.items.items() if isinstance(k, str)})
        elif argument.name is not None:
            keywords[argument.name] = value
        else:
            arguments.append(value)
    return machine.call(function, arguments, keywords, text_of(node))


def _binary(machine: Machine, node: ir.BinOp, frame: Frame) -> Value:
    left, right = machine.evaluate(node.left, frame), machine.evaluate(node.right, frame)
    return operators.binary(machine, node.op, left, right, _operation_text(node))


def _operation_text(node: ir.BinOp) -> str:
    left, right = text_of(node.left), text_of(node.right)
    return f"{left} {node.op} {right}" if left and right else left or right


def _unary(machine: Machine, node: ir.UnaryOp, frame: Frame) -> Value:
    value = machine.evaluate(node.operand, frame)
    if node.op == "not":
        return Known(not machine.truth(value)) if not isinstance(value, Tensor) else Number()
    return operators.unary(machine, node.op, value)


def _boolean(machine: Machine, node: ir.BoolOp, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    if machine.truth(left) == (node.op == "or"):
        return left
    return machine.evaluate(node.right, frame)


_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def _compare(machine: Machine, node: ir.Compare, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    result: Value = Known(True)
    for op, operand in node.rest:
        right = machine.evaluate(operand, frame)
        result = _compare_two(machine, op, left, right)
        if isinstance(result, Known) and not result.value:
            return result
        left = right
    return result


def _compare_two(machine: Machine, op: str, left: Value, right: Value) -> Value:
    if op in ("is", "is not"):
        same = _identical(machine, left, right)
        return Number() if same is None else Known(same == (op == "is"))
    if op in ("in", "not in"):
        return _contains(machine, op, left, right)
    if isinstance(left, Known) and isinstance(right, Known):
        try:
            return Known(bool(_FOLD[op](left.value, right.value)))
        except TypeError:
            return Number()
    if any(isinstance(v, Tensor) or (isinstance(v, Unknown) and v.tensorlike) for v in (left, right)):
        return operators.comparison(machine, op, left, right)
    if isinstance(left, Items) and isinstance(right, Items) and op in ("==", "!="):
        return _equal(left, right, wanted=op == "==")
    if isinstance(left, Library) and isinstance(right, Library):
        return Known((left.name == right.name) == (op == "=="))
    if isinstance(left, Items | Mapping | Instance) and type(left) is type(right):
        return Known((left is right) == (op == "=="))
    for value, other, mirrored in ((left, right, False), (right, left, True)):
        if isinstance(value, Number | Unknown) and isinstance(other, Known):
            if isinstance(value, Number) and value.hint is not None and other.value == 0:
                return Known(bool(_FOLD[op](*((0, value.hint) if mirrored else (value.hint, 0)))))
            try:
                hash(other.value)
            except TypeError:
                return Number()
            answer = machine.remembered(value.truth, ("==" if op == "!=" else op, other.value))
            return Known(answer != (op == "!="))
    return Number()


def _equal(left: Items, right: Items, *, wanted: bool) -> Value:
    """Whether two sequences hold the same constants, as far as they are known."""
    if left.open or right.open:
        return Number()
    if len(left.items) != len(right.items):
        return Known(not wanted)
    pairs = [(a.value, b.value) for a, b in zip(left.items, right.items, strict=True)
             if isinstance(a, Known) and isinstance(b, Known)]  # fmt: skip
    if any(a != b for a, b in pairs):
        return Known(not wanted)
    return Known(wanted) if len(pairs) == len(left.items) else Number()


def _identical(machine: Machine, left: Value, right: Value) -> bool | None:
    for value, other in ((left, right), (right, left)):
        if isinstance(other, Known) and other.value is None:
            if isinstance(value, Known):
                return value.value is None
            if isinstance(value, Unknown):
                if value.none is None:
                    value.none = value.may_be_none and machine.choices.choose(2) == 1
                return value.none
            return False
    if isinstance(left, Known) and isinstance(right, Known):
        return bool(left.value == right.value)
    if isinstance(left, Unknown | Number) or isinstance(right, Unknown | Number):
        return left is right or None
    return left is right


def _contains(machine: Machine, op: str, left: Value, right: Value) -> Value:
    if isinstance(right, Mapping) and not right.open and is_certain(left):
        return Known((key_of(left) in right.items) == (op == "in"))
    if isinstance(right, Items) and not right.open and is_certain(left) and not isinstance(left, Tensor):
        found = key_of(left) in map(key_of, right.items)
        return Known(found == (op == "in")) if found or all(map(is_certain, right.items)) else Number()
    if isinstance(left, Known) and isinstance(right, Known) and isinstance(right.value, str):
        return Known((str(left.value) in right.value) == (op == "in"))
    return Number()


def _conditional(machine: Machine, node: ir.IfExp, frame: Frame) -> Value:
    test = machine.truth(machine.evaluate(node.test, frame))
    machine.pass_by(node.orelse if test else node.body, frame)
    return machine.evaluate(node.body if test else node.orelse, frame)


def _sequence(machine: Machine, node: ir.Sequence, frame: Frame) -> Value:
    items: list[Value] = []
    is_open = False
    for item in node.items:
        if isinstance(item, ir.Starred):
            spread = to_items(machine, machine.evaluate(item.value, frame))
            items.extend(spread.items)
            is_open = is_open or spread.open
        else:
            items.append(machine.evaluate(item, frame))
    return Items(node.kind, items, open=is_open)


def _starred(machine: Machine, node: ir.Starred, frame: Frame) -> Value:
    return machine.evaluate(node.value, frame)


def _dict(machine: Machine, node: ir.Dict, frame: Frame) -> Value:
    result = Mapping({})
    for key, item in node.items:
        value = machine.evaluate(item, frame)
        if key is not None:
            result.items[key_of(machine.evaluate(key, frame))] = value
        elif isinstance(value, Mapping):
            result.items.update(value.items)
            result.open = result.open or value.open
        else:
            result.open = True
    return result


def _comprehension(machine: Machine, node: ir.Comprehension, frame: Frame) -> Value:
    scope = Frame(frame.file, frame.row, frame.function, parent=frame, module=frame.globals(), self=frame.self)
    scope.owner = frame.owner
    values: list[tuple[Value | None, Value]] = []

    def walk(clauses: tuple[ir.Clause, ...]) -> None:
        if not clauses:
            key = machine.evaluate(node.key, scope) if node.key is not None else None
            values.append((key, machine.evaluate(node.element, scope)))
            return

        def take(item: Value) -> bool:
            bind_target(machine, clauses[0].target, item, scope)
            if all(machine.truth(machine.evaluate(test, scope)) for test in clauses[0].conditions):
                walk(clauses[1:])
            return True

        iterable = machine.evaluate(clauses[0].iterable, scope)
        of_more.append(isinstance(iterable, Items) and iterable.open)
        each(machine, iterable, take)

    of_more: list[bool] = []
    walk(node.clauses)
    if node.kind == "dict":
        return Mapping({key_of(key): value for key, value in values if key is not None})
    return Items(node.kind, [value for _, value in values], open=any(of_more))


def _named(machine: Machine, node: ir.NamedExpr, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    bind_target(machine, node.target, value, frame)
    return value


def _suspend(machine: Machine, node: ir.Suspend, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame) if node.value is not None else NONE
    if node.kind == "await":
        return value
    scope: Frame | None = frame
    while scope is not None and scope.yielded is None:
        scope = scope.parent
    if scope is not None and scope.yielded is not None:
        if scope.on_yield is not None:
            if len(machine.stack) == 1:
                graphs.judge(machine, value)
            if node.kind == "yield from":
                each(machine, value, partial(_handed_on, scope.on_yield))
            else:
                scope.on_yield(value)
            return NONE
        scope.yielded.extend(elements(machine, value) if node.kind == "yield from" else [value])
    return machine.unknown("yield")


def _handed_on(on_yield: Callable[[Value], None], value: Value) -> bool:
    on_yield(value)
    return True


def _joined(machine: Machine, node: ir.Joined, frame: Frame) -> Value:
    values = [machine.evaluate(value, frame) for value in node.values]
    if node.texts is None or not all(isinstance(value, Known) for value in values):
        return machine.unknown("string")
    shown = [str(value.value) for value in values if isinstance(value, Known)]
    return Known("".join(part for pair in zip(node.texts, [*shown, ""], strict=True) for part in pair))


def _lambda(machine: Machine, node: ir.Lambda, frame: Frame) -> Value:
    defaults = defaults_of(machine, node.parameters, frame)
    return Function("<lambda>", node, frame, defaults, site=machine.recorder.site)


def defaults_of(machine: Machine, parameters: Iterable[ir.Parameter], frame: Frame) -> dict[str, Value]:
    """The default values of `parameters`, evaluated where the function is defined."""
    return {p.name: machine.evaluate(p.default, frame) for p in parameters if p.default is not None}


# Targets


def bind_target(machine: Machine, target: ir.Expr, value: Value, frame: Frame) -> None:
    """Assign `value` to a name, an attribute, a subscript, or a pattern of them."""
    if isinstance(target, ir.Name):
        _give_name(value, target.id)
        frame.bind(target.id, value)
    elif isinstance(target, ir.Attribute):
        _give_name(value, text_of(target))
        machine.set_attribute(machine.evaluate(target.value, frame), target.name, value)
    elif isinstance(target, ir.Subscript):
        container = machine.evaluate(target.value, frame)
        indexing.put(machine, container, machine.evaluate(target.index, frame), value)
    elif isinstance(target, ir.Starred):
        bind_target(machine, target.value, value, frame)
    elif isinstance(target, ir.Sequence):
        _unpack(machine, target.items, value, frame)


def _give_name(value: Value, name: str) -> None:
    """Remember the variable's name for messages."""
    if isinstance(value, Tensor) and not (value.parameter and value.name):
        value.name = name


def _unpack(machine: Machine, targets: tuple[ir.Expr, ...], value: Value, frame: Frame) -> None:
    star = next((i for i, t in enumerate(targets) if isinstance(t, ir.Starred)), None)
    after = len(targets) - star - 1 if star is not None else 0
    wanted = len(targets) if star is None else len(targets) - 1
    items = list(to_items(machine, value, wanted).items)
    if len(items) < wanted:
        items += [machine.unknown("unpacked") for _ in range(wanted - len(items))]
    if star is not None:
        middle = items[star : len(items) - after]
        items = [*items[:star], Items("list", middle), *items[len(items) - after :]]
    for target, item in zip(targets, items, strict=False):
        bind_target(machine, target, item, frame)


EVALUATE: dict[type, Callable[[Machine, Any, Frame], Value]] = {
    ir.Name: _name,
    ir.Const: _const,
    ir.Attribute: _attribute,
    ir.Subscript: _subscript,
    ir.Slice: _slice,
    ir.Call: _call,
    ir.BinOp: _binary,
    ir.UnaryOp: _unary,
    ir.BoolOp: _boolean,
    ir.Compare: _compare,
    ir.IfExp: _conditional,
    ir.Sequence: _sequence,
    ir.Starred: _starred,
    ir.Dict: _dict,
    ir.Comprehension: _comprehension,
    ir.NamedExpr: _named,
    ir.Suspend: _suspend,
    ir.Joined: _joined,
    ir.Lambda: _lambda,
}
"""How each kind of expression is evaluated."""

_BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "bytes",
        "callable",
        "dict",
        "dir",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "frozenset",
        "getattr",
        "hasattr",
        "hash",
        "id",
        "int",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "object",
        "open",
        "print",
        "property",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "setattr",
        "slice",
        "sorted",
        "staticmethod",
        "classmethod",
        "str",
        "sum",
        "super",
        "tuple",
        "type",
        "vars",
        "zip",
        "delattr",
        "locals",
        "globals",
        "Exception",
        "ValueError",
        "RuntimeError",
        "TypeError",
        "NotImplementedError",
        "KeyError",
        "AssertionError",
        "StopIteration",
        "ImportError",
    ]
)
