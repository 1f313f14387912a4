"""Evaluate expressions, and bind their values to targets."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any

from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.iteration import find_elements, to_items, visit_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import comparisons, narrowing, operators
from inplace_lsp.interpret.python.descriptions import describe_condition, describe_expression, describe_operation
from inplace_lsp.interpret.python.mappings import find_dict
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.signatures import OpenArguments, OpenKeywords
from inplace_lsp.interpret.state.values import (
    NONE,
    Amount,
    Frame,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    SliceValue,
    Tensor,
    Unknown,
    Value,
    is_false,
    make_key,
)
from inplace_lsp.interpret.torch_api import indexing
from inplace_lsp.interpret.torch_api.module_tree import is_module, name_tensors
from inplace_lsp.source import ir
from inplace_lsp.tape.names import ELEMENT


def _evaluate_name(machine: Machine, node: ir.Name, frame: Frame) -> Value:
    value = frame.look_up(node.id)
    if value is not None:
        return value
    if node.id in _BUILTINS:
        return _BUILTINS[node.id]
    return _bind_unbound(machine, node.id, frame.find_module_scope())


def _bind_unbound(machine: Machine, name: str, scope: Frame) -> Value:
    """Bind and return an unknown for a name that nothing in sight binds.

    Python would raise NameError, so it has no autograd history, unless a star import that is not in sight may bind it.
    """
    value = machine.make_unknown(name)
    value.graphless = not scope.starred
    scope.names[name] = value
    return value


def _evaluate_constant(machine: Machine, node: ir.Const, frame: Frame) -> Value:
    return Known(node.value)


def _evaluate_attribute(machine: Machine, node: ir.Attribute, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    found = machine.get_uncalled_attribute(value, node.name, describe_expression(node))
    if type(found) is Tensor and _is_visible(frame) and _has_no_name_here(found, value, frame):
        found.name = describe_expression(node)
    return found


def _has_no_name_here(tensor: Tensor, owner: Value, frame: Frame) -> bool:
    """Return whether the tensor, an attribute of `owner`, has no name, or that of another function's variable."""
    if not tensor.name:
        return type(owner) is Instance
    if tensor.parameter or type(owner) is not Instance:
        return False
    return tensor.name.isidentifier() and frame.look_up(tensor.name) is not tensor


def _evaluate_callee(machine: Machine, node: ir.Expr, frame: Frame) -> Value:
    """Evaluate what a call calls."""
    if type(node) is not ir.Attribute:
        return machine.evaluate(node, frame)
    return machine.get_attribute(machine.evaluate(node.value, frame), node.name, describe_expression(node))


def _evaluate_subscript(machine: Machine, node: ir.Subscript, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    index = machine.settle_comparison(machine.evaluate(node.index, frame))
    found = indexing.get_element(machine, value, index, describe_expression(node))
    name_element(value, found, node, frame)
    return found


def _evaluate_slice(machine: Machine, node: ir.Slice, frame: Frame) -> Value:
    parts = (
        machine.evaluate(part, frame) if part is not None else None for part in (node.lower, node.upper, node.step)
    )
    return SliceValue(*parts)


def _evaluate_call(machine: Machine, node: ir.Call, frame: Frame) -> Value:
    function = _evaluate_callee(machine, node.function, frame)
    arguments: list[Value] = []
    keywords: dict[str, Value] = {}
    for argument in node.arguments:
        value = machine.evaluate(argument.value, frame)
        if argument.star == 1:
            spread = to_items(machine, value)
            arguments = OpenArguments(arguments) if spread.open else arguments
            arguments.extend(spread.items)
        elif argument.star == 2:
            keywords = _spread_keywords(machine, keywords, value)
        elif argument.name is not None:
            keywords[argument.name] = value
        else:
            arguments.append(value)
    return machine.call(function, arguments, keywords, _describe_call(node, function))


def _describe_call(node: ir.Call, function: Value) -> str:
    """Return a call as messages show it; that of a method of an element by its container: in `[x.to(device) for x in
    batch]`, the name `x` does not say that a part of `batch` is moved."""
    text = describe_expression(node)
    if type(function) is Unknown and function.origin.startswith(ELEMENT) and isinstance(node.function, ir.Attribute):
        return function.origin + text[len(describe_expression(node.function)) :]
    return text


def _spread_keywords(machine: Machine, keywords: dict[str, Value], value: Value) -> dict[str, Value]:
    """Return the keywords of a call with those of `**value` added."""
    value = find_dict(machine, value)
    entries = value.items if isinstance(value, Mapping) else {}
    known = {key: item for key, item in entries.items() if isinstance(key, str)}
    is_open = not isinstance(value, Mapping) or value.open or len(known) < len(entries)
    keywords = OpenKeywords(keywords) if is_open else keywords
    keywords.update(known)
    return keywords


def _evaluate_binary(machine: Machine, node: ir.BinOp, frame: Frame) -> Value:
    left, right = machine.evaluate(node.left, frame), machine.evaluate(node.right, frame)
    return operators.apply_binary(machine, node.op, left, right, describe_operation(node))


def evaluate_header(machine: Machine, node: ir.Expr, frame: Frame) -> Value:
    """Evaluate a compound statement's header: its events are reported there, not at the whole statement."""
    machine.reach_place(node.place, frame)
    return machine.evaluate(node, frame)


def _evaluate_unary(machine: Machine, node: ir.UnaryOp, frame: Frame) -> Value:
    value = machine.evaluate(node.operand, frame)
    if node.op == "not":
        return machine.negate_value(value)
    return operators.apply_unary(machine, node.op, value)


def _evaluate_boolean(machine: Machine, node: ir.BoolOp, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    if machine.decide_truth(left) == (node.op == "or"):
        return left
    return machine.evaluate(node.right, frame)


def _evaluate_comparison(machine: Machine, node: ir.Compare, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    result: Value = Known(True)
    for op, operand in node.rest:
        right = machine.evaluate(operand, frame)
        if is_false(result := machine.settle_comparison(result)):
            return result
        result = comparisons.compare_values(machine, op, left, right)
        left = right
    return result


def _evaluate_conditional(machine: Machine, node: ir.IfExp, frame: Frame) -> Value:
    before = machine.path.count_decisions()
    test = machine.decide_truth(machine.evaluate(node.test, frame))
    narrowing.narrow_names(machine, node.test, test, frame)
    taken, other = (node.body, node.orelse) if test else (node.orelse, node.body)
    decided = machine.path.find_last_since(before)
    machine.note_untaken(other, frame, decided or machine.settled.find_decisions(node.test, frame))
    machine.executed.add(id(taken))
    if not decided:
        return machine.evaluate(taken, frame)
    with machine.recorder.guards.run_inside(describe_condition(node.test, holds=test), decided):
        return machine.evaluate(taken, frame)


def _evaluate_sequence(machine: Machine, node: ir.Sequence, frame: Frame) -> Value:
    items: list[Value] = []
    is_open = False
    for item in node.items:
        if isinstance(item, ir.Starred):
            spread = to_items(machine, machine.evaluate(item.value, frame))
            items.extend(spread.items)
            is_open = is_open or spread.open
        else:
            items.append(machine.settle_comparison(machine.evaluate(item, frame)))
    return Items(node.kind, items, open=is_open)


def _evaluate_star(machine: Machine, node: ir.Starred, frame: Frame) -> Value:
    return machine.evaluate(node.value, frame)


def _evaluate_dict(machine: Machine, node: ir.Dict, frame: Frame) -> Value:
    result = Mapping({})
    for key, item in node.items:
        value = machine.settle_comparison(machine.evaluate(item, frame))
        if key is not None:
            result.items[make_key(machine.evaluate(key, frame))] = value
            continue
        entries = find_dict(machine, value)
        if isinstance(entries, Mapping):
            result.items.update(entries.items)
            result.open = result.open or entries.open
        else:
            result.open = True
    return result


def _evaluate_comprehension(machine: Machine, node: ir.Comprehension, frame: Frame) -> Value:
    scope = Frame(
        frame.file, frame.row, frame.function, parent=frame, module=frame.find_module_scope(), self=frame.self
    )
    scope.owner = frame.owner
    values: list[tuple[Value | None, Value]] = []

    def walk_clauses(clauses: tuple[ir.Clause, ...]) -> None:
        if not clauses:
            key = machine.evaluate(node.key, scope) if node.key is not None else None
            values.append((key, machine.evaluate(node.element, scope)))
            return

        def add_item(item: Value) -> bool:
            bind_target(machine, clauses[0].target, item, scope)
            if all(machine.decide_truth(machine.evaluate(test, scope)) for test in clauses[0].conditions):
                walk_clauses(clauses[1:])
            return True

        iterable = machine.evaluate(clauses[0].iterable, scope)
        if _ignores_variable(node):
            iterable = relative_numbers.drop_middle(iterable)
        of_more.append(isinstance(iterable, Items) and iterable.open)
        lengths.append(relative_numbers.find_length(iterable))
        visit_elements(machine, iterable, add_item)

    of_more: list[bool] = []
    lengths: list[Amount | None] = []
    walk_clauses(node.clauses)
    if node.kind == "dict":
        return Mapping({make_key(key): value for key, value in values if key is not None})
    made = Items(node.kind, [value for _, value in values], open=any(of_more))
    if len(node.clauses) == 1 and not node.clauses[0].conditions:
        relative_numbers.give_length(made, lengths[0])
    return made


@lru_cache(maxsize=1024)
def _ignores_variable(node: ir.Comprehension) -> bool:
    """Return whether a comprehension over a single iterable never reads its variable."""
    target = node.clauses[0].target
    asked = (node.key, node.element, *node.clauses[0].conditions)
    return len(node.clauses) == 1 and isinstance(target, ir.Name) and not ir.is_mentioned(asked, target.id)


def _evaluate_walrus(machine: Machine, node: ir.NamedExpr, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    bind_target(machine, node.target, value, frame)
    return value


def _evaluate_suspension(machine: Machine, node: ir.Suspend, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame) if node.value is not None else NONE
    if node.kind == "await":
        return value
    scope: Frame | None = frame
    while scope is not None and scope.yielded is None:
        scope = scope.parent
    if scope is not None and scope.on_yield is not None:
        _yield_to_loop(machine, node, value, scope.on_yield)
        return NONE
    if scope is not None and scope.yielded is not None:
        scope.yielded.extend(find_elements(machine, value) if node.kind == "yield from" else [value])
    return machine.make_unknown("yield")


def _yield_to_loop(machine: Machine, node: ir.Suspend, value: Value, on_yield: Callable[[Value], None]) -> None:
    """Give what is yielded to the loop over the generator."""
    if len(machine.stack) == 1:
        graphs.walk_returned_graphs(machine, value)
    if node.kind == "yield from":
        visit_elements(machine, value, partial(_pass_on, on_yield))
    else:
        on_yield(value)


def _pass_on(on_yield: Callable[[Value], None], value: Value) -> bool:
    on_yield(value)
    return True


def _evaluate_fstring(machine: Machine, node: ir.Joined, frame: Frame) -> Value:
    values = [machine.evaluate(value, frame) for value in node.values]
    if node.texts is None or not all(isinstance(value, Known) for value in values):
        return machine.make_unknown("string")
    shown = [str(value.value) for value in values if isinstance(value, Known)]
    return Known("".join(part for pair in zip(node.texts, [*shown, ""], strict=True) for part in pair))


def _evaluate_lambda(machine: Machine, node: ir.Lambda, frame: Frame) -> Value:
    defaults = evaluate_defaults(machine, node.parameters, frame)
    return Function("<lambda>", node, frame, defaults, site=machine.recorder.site)


def evaluate_defaults(machine: Machine, parameters: Iterable[ir.Parameter], frame: Frame) -> dict[str, Value]:
    """Return the default values of `parameters`, evaluated where the function is defined."""
    return {p.name: machine.evaluate(p.default, frame) for p in parameters if p.default is not None}


# Targets


def bind_target(machine: Machine, target: ir.Expr, value: Value, frame: Frame) -> None:
    """Assign `value` to a name, an attribute, a subscript, or a sequence of targets."""
    if isinstance(target, ir.Name):
        if _is_visible(frame):
            _give_name(machine, value, target.id)
        if type(value) is Unknown and value.given and target.id in frame.tensors:
            value.tensorlike = True  # an unknown callee made it
        frame.bind_name(target.id, value)
    elif isinstance(target, ir.Attribute):
        if isinstance(value, Tensor) and _is_visible(frame) and target.name != "data":
            _give_name(machine, value, describe_expression(target))  # `.data = value` does not rename the value
        machine.set_attribute(machine.evaluate(target.value, frame), target.name, value)
    elif isinstance(target, ir.Subscript):
        container = machine.evaluate(target.value, frame)
        name_element(container, value, target, frame)
        indexing.put_element(machine, container, machine.evaluate(target.index, frame), value)
    elif isinstance(target, ir.Starred):
        bind_target(machine, target.value, value, frame)
    elif isinstance(target, ir.Sequence):
        _unpack_value(machine, target.items, value, frame)


def _is_visible(frame: Frame) -> bool:
    """Return whether the reader of messages knows the names in the frame: they are in the program, not in a model."""
    return (frame.module or frame).model is None


def _give_name(machine: Machine, value: Value, name: str) -> None:
    """Record the variable's name for messages."""
    if isinstance(value, Tensor) and not (value.parameter and value.name):
        machine.recorder.name_tensor(value, name)
    elif is_module(value) and name != "self":
        name_tensors(value, name)
    elif type(value) is Unknown and not value.origin:
        value.origin = name


def name_element(container: Value, element: Value, node: ir.Subscript, frame: Frame) -> None:
    """Name an unnamed tensor after the subscript that reads or stores it."""
    if isinstance(element, Tensor) and not element.name and not isinstance(container, Tensor) and _is_visible(frame):
        element.name = describe_expression(node)


def _unpack_value(machine: Machine, targets: tuple[ir.Expr, ...], value: Value, frame: Frame) -> None:
    star = next((at for at, target in enumerate(targets) if isinstance(target, ir.Starred)), None)
    wanted = len(targets) if star is None else len(targets) - 1
    if isinstance(value, Unknown) and value.flows and value.tensor is None:
        items = _make_results(machine, value, wanted)
    else:
        items = list(to_items(machine, value, wanted).items)
    items += [machine.make_unknown("unpacked") for _ in range(wanted - len(items))]
    if star is not None:
        end = len(items) - (wanted - star)
        items = [*items[:star], Items("list", items[star:end]), *items[end:]]
    for target, item in zip(targets, items, strict=False):
        bind_target(machine, target, item, frame)


def _make_results(machine: Machine, value: Unknown, wanted: int) -> list[Value]:
    """Return the several results of a network whose value is unpacked: they are not rows of one tensor."""
    results = [machine.make_element(value) for _ in range(wanted)]
    for result in results:
        result.tensorlike = value.tensorlike
    return [*results]


EVALUATE: dict[type, Callable[[Machine, Any, Frame], Value]] = {
    ir.Name: _evaluate_name,
    ir.Const: _evaluate_constant,
    ir.Attribute: _evaluate_attribute,
    ir.Subscript: _evaluate_subscript,
    ir.Slice: _evaluate_slice,
    ir.Call: _evaluate_call,
    ir.BinOp: _evaluate_binary,
    ir.UnaryOp: _evaluate_unary,
    ir.BoolOp: _evaluate_boolean,
    ir.Compare: _evaluate_comparison,
    ir.IfExp: _evaluate_conditional,
    ir.Sequence: _evaluate_sequence,
    ir.Starred: _evaluate_star,
    ir.Dict: _evaluate_dict,
    ir.Comprehension: _evaluate_comprehension,
    ir.NamedExpr: _evaluate_walrus,
    ir.Suspend: _evaluate_suspension,
    ir.Joined: _evaluate_fstring,
    ir.Lambda: _evaluate_lambda,
}
"""The function that evaluates each kind of expression."""

_BUILTINS: dict[str, Value] = {
    **{name: Library(f"builtins.{name}") for name in dir(builtins) if not name.startswith("_")},
    "Ellipsis": Known(...),
}
