"""The value of an expression."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any

from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.iteration import each, elements, to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import comparisons, narrowing, operators
from inplace_lsp.interpret.state import amounts
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.signatures import OpenArguments, OpenKeywords
from inplace_lsp.interpret.state.values import (
    NONE,
    Amount,
    Function,
    Items,
    Known,
    Library,
    Mapping,
    SliceValue,
    Tensor,
    Unknown,
    Value,
    is_false,
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
        return _BUILTINS[node.id]
    return _bind_unbound(machine, node.id, frame.globals())


def _bind_unbound(machine: Machine, name: str, scope: Frame) -> Value:
    """Return what stands for a name that nothing in sight binds: Python would raise, so no graph hangs on it, unless a
    `from ... import *` of what is not in sight binds it."""
    value = machine.unknown(name)
    value.graphless = not scope.starred
    scope.names[name] = value
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
            spread = to_items(machine, value)
            arguments = OpenArguments(arguments) if spread.open else arguments
            arguments.extend(spread.items)
        elif argument.star == 2:
            known = {k: v for k, v in value.items.items() if isinstance(k, str)} if isinstance(value, Mapping) else {}
            all_known = isinstance(value, Mapping) and not value.open and len(known) == len(value.items)
            keywords = keywords if all_known else OpenKeywords(keywords)
            keywords.update(known)
        elif argument.name is not None:
            keywords[argument.name] = value
        else:
            arguments.append(value)
    return machine.call(function, arguments, keywords, text_of(node))


def _binary(machine: Machine, node: ir.BinOp, frame: Frame) -> Value:
    left, right = machine.evaluate(node.left, frame), machine.evaluate(node.right, frame)
    return operators.binary(machine, node.op, left, right, _operation_text(node))


def evaluate_header(machine: Machine, node: ir.Expr, frame: Frame) -> Value:
    """Evaluate a compound statement's header: events in it are reported there, not at the whole statement."""
    machine.at(node.place, frame)
    return machine.evaluate(node, frame)


def _operation_text(node: ir.BinOp) -> str:
    left, right = text_of(node.left), text_of(node.right)
    return f"{left} {node.op} {right}" if left and right else left or right


def _unary(machine: Machine, node: ir.UnaryOp, frame: Frame) -> Value:
    value = machine.evaluate(node.operand, frame)
    if node.op == "not":
        return machine.negate(value)
    return operators.unary(machine, node.op, value)


def _boolean(machine: Machine, node: ir.BoolOp, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    if machine.truth(left) == (node.op == "or"):
        return left
    return machine.evaluate(node.right, frame)


def _compare(machine: Machine, node: ir.Compare, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    result: Value = Known(True)
    for op, operand in node.rest:
        right = machine.evaluate(operand, frame)
        result = comparisons.compare(machine, op, left, right)
        if is_false(result):
            return result
        left = right
    return result


def _conditional(machine: Machine, node: ir.IfExp, frame: Frame) -> Value:
    test = machine.truth(machine.evaluate(node.test, frame))
    narrowing.narrow(machine, node.test, test, frame)
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
        if _is_unread(node):
            iterable = amounts.leave_out_middle(iterable)
        of_more.append(isinstance(iterable, Items) and iterable.open)
        lengths.append(amounts.find_length(iterable))
        each(machine, iterable, take)

    of_more: list[bool] = []
    lengths: list[Amount | None] = []
    walk(node.clauses)
    if node.kind == "dict":
        return Mapping({key_of(key): value for key, value in values if key is not None})
    made = Items(node.kind, [value for _, value in values], open=any(of_more))
    if len(node.clauses) == 1 and not node.clauses[0].conditions:
        amounts.give_length(made, lengths[0])
    return made


@lru_cache(maxsize=1024)
def _is_unread(node: ir.Comprehension) -> bool:
    """Whether a comprehension over one thing never asks for its variable."""
    target = node.clauses[0].target
    asked = (node.key, node.element, *node.clauses[0].conditions)
    return len(node.clauses) == 1 and isinstance(target, ir.Name) and not ir.mentions(asked, target.id)


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
        if isinstance(value, Tensor) and (frame.module or frame).model is None:  # the reader knows the program's names
            _give_name(value, target.id)
        frame.bind(target.id, value)
    elif isinstance(target, ir.Attribute):
        if isinstance(value, Tensor) and (frame.module or frame).model is None and target.name != "data":
            _give_name(value, text_of(target))  # what is handed over keeps its name
        machine.set_attribute(machine.evaluate(target.value, frame), target.name, value)
    elif isinstance(target, ir.Subscript):
        container = machine.evaluate(target.value, frame)
        indexing.put(machine, container, machine.evaluate(target.index, frame), value)
    elif isinstance(target, ir.Starred):
        bind_target(machine, target.value, value, frame)
    elif isinstance(target, ir.Sequence):
        _unpack(machine, target.items, value, frame)


def _give_name(value: Tensor, name: str) -> None:
    """Remember the variable's name for messages."""
    if not (value.parameter and value.name):
        value.name = name


def _unpack(machine: Machine, targets: tuple[ir.Expr, ...], value: Value, frame: Frame) -> None:
    star = next((i for i, t in enumerate(targets) if isinstance(t, ir.Starred)), None)
    after = len(targets) - star - 1 if star is not None else 0
    wanted = len(targets) if star is None else len(targets) - 1
    if isinstance(value, Unknown) and value.flows and value.tensor is None:
        items = _several_results(machine, value, wanted)
    else:
        items = list(to_items(machine, value, wanted).items)
    if len(items) < wanted:
        items += [machine.unknown("unpacked") for _ in range(wanted - len(items))]
    if star is not None:
        middle = items[star : len(items) - after]
        items = [*items[:star], Items("list", middle), *items[len(items) - after :]]
    for target, item in zip(targets, items, strict=False):
        bind_target(machine, target, item, frame)


def _several_results(machine: Machine, value: Unknown, wanted: int) -> list[Value]:
    """What a network gave is unpacked: it gave several things, not one tensor row by row."""
    results = [machine.element_of(value) for _ in range(wanted)]
    for result in results:
        result.tensorlike = value.tensorlike
    return [*results]


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

_BUILTINS = {name: Library(f"builtins.{name}") for name in dir(builtins) if not name.startswith("_")}
