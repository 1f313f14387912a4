"""Execution of statements and the ways control leaves them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Break, Continue, Paused, Raised, Return
from inplace_lsp.interpret.python import attributes, definitions, imports, loops, narrowing, operators, patterns
from inplace_lsp.interpret.python.expressions import bind_target, evaluate_header, text_of
from inplace_lsp.interpret.state.frames import Frame, make_span
from inplace_lsp.interpret.state.paths import Left
from inplace_lsp.interpret.state.values import NONE, Items, Known, Suspended, Value
from inplace_lsp.interpret.torch_api import indexing, modes
from inplace_lsp.source import ir


def execute(machine: Machine, body: Sequence[ir.Statement], frame: Frame) -> None:
    """Execute `body`; leaves by a signal, TorchError, or the end."""
    scope, recorder, begun = frame.module or frame, machine.recorder, 0
    try:
        for statement in body:
            machine.steps -= 1  # `tick` and `at`, without the calls: this is done for every statement
            if machine.steps < 0:
                raise OutOfBudgetError
            if scope.abroad:
                machine.abroad -= 1
            if not scope.foreign:
                recorder.site = make_span(frame.file, frame.row, statement.place)
            begun += 1
            _EXECUTE[type(statement)](machine, statement, frame)
    except Left as signal:
        machine.pass_by(body[begun:], frame, signal.because_of)
        raise
    except Paused as paused:
        paused.then(partial(execute, machine, body[begun:], frame))
        raise
    finally:
        machine.executed.update(map(id, body[:begun]))


def _assign(machine: Machine, node: ir.Assign, frame: Frame) -> None:
    value = machine.evaluate(node.value, frame)
    for target in node.targets:
        bind_target(machine, target, value, frame)


def _annotate(machine: Machine, node: ir.Annotate, frame: Frame) -> None:
    if node.value is not None:
        bind_target(machine, node.target, machine.evaluate(node.value, frame), frame)
    elif frame.owner is not None and isinstance(node.target, ir.Name):
        fields = frame.names.setdefault("__annotated__", Items("list", []))
        if isinstance(fields, Items):
            fields.items.append(Known(node.target.id))


def _aug_assign(machine: Machine, node: ir.AugAssign, frame: Frame) -> None:
    target = node.target
    if isinstance(target, ir.Subscript):
        container, index = machine.evaluate(target.value, frame), machine.evaluate(target.index, frame)
        current = indexing.get(machine, container, index, text_of(target))
        value = machine.evaluate(node.value, frame)
        indexing.put(machine, container, index, operators.in_place(machine, node.op, current, value))
    elif isinstance(target, ir.Attribute):
        owner = machine.evaluate(target.value, frame)
        current = machine.attribute(owner, target.name, text_of(target))
        value = machine.evaluate(node.value, frame)
        result = operators.in_place(machine, node.op, current, value)
        machine.set_attribute(owner, target.name, result, augmented=True)
    else:
        current = machine.evaluate(target, frame)
        value = machine.evaluate(node.value, frame)
        bind_target(machine, target, operators.in_place(machine, node.op, current, value), frame)


def _expr(machine: Machine, node: ir.ExprStatement, frame: Frame) -> None:
    machine.drop(machine.evaluate(node.value, frame))


def _return(machine: Machine, node: ir.Return, frame: Frame) -> None:
    raise Return(machine.evaluate(node.value, frame) if node.value is not None else NONE)


def _raise(machine: Machine, node: ir.Raise, frame: Frame) -> None:
    value = node.value.function if isinstance(node.value, ir.Call) else node.value
    raise Raised(text_of(value))


def _assert(machine: Machine, node: ir.Assert, frame: Frame) -> None:
    machine.evaluate(node.test, frame)
    narrowing.narrow(machine, node.test, taken=True, frame=frame)


def _delete(machine: Machine, node: ir.Delete, frame: Frame) -> None:
    for target in node.targets:
        if isinstance(target, ir.Name):
            frame.names.pop(target.id, None)
        elif isinstance(target, ir.Subscript):
            indexing.remove(machine, machine.evaluate(target.value, frame), machine.evaluate(target.index, frame))
        elif isinstance(target, ir.Attribute):
            attributes.remove(machine.evaluate(target.value, frame), target.name)


def _jump(machine: Machine, node: ir.Jump, frame: Frame) -> None:
    if node.kind == "break":
        raise Break
    if node.kind == "continue":
        raise Continue


def _scope(machine: Machine, node: ir.Scope, frame: Frame) -> None:
    for name in node.names:
        frame.scoped[name] = node.kind


def _if(machine: Machine, node: ir.If, frame: Frame) -> None:
    before, choices = machine.path.mark(), machine.choices
    made = len(choices.taken)
    value = evaluate_header(machine, node.test, frame)
    is_open = not isinstance(value, Known) or len(choices.taken) > made
    is_abroad = (frame.module or frame).abroad
    taken = _only_way(node) if is_open or is_abroad else None
    if taken is None and is_abroad and is_open and _only_leaves(node):
        taken = False
    if taken is None:
        taken = machine.truth(value)
        narrowing.narrow(machine, node.test, taken, frame)
        if not isinstance(value, Known) or (frame.module or frame).model is None:  # a model says when it decides
            machine.pass_by(node.orelse if taken else node.body, frame, machine.path.made_since(before))
    arm = node.body if taken else node.orelse
    if arm:
        _execute_arm(machine, arm, frame, machine.path.made_since(before))


def _execute_arm(machine: Machine, body: Sequence[ir.Statement], frame: Frame, because_of: tuple[int, ...]) -> None:
    """Execute `body`, to which these decisions of the run led."""
    try:
        execute(machine, body, frame)
    except Left as signal:
        signal.because_of += because_of
        raise


def _only_way(node: ir.If) -> bool | None:
    """The branch to take where the other only raises: a path that ends there shows nothing."""
    if node.body and isinstance(node.body[-1], ir.Raise):
        return False
    if node.orelse and isinstance(node.orelse[-1], ir.Raise):
        return True
    return None


def _only_leaves(node: ir.If) -> bool:
    """Return whether the branch does nothing but leave a function or a loop, by which the rest would not be seen."""
    if node.orelse or len(node.body) != 1:
        return False
    leaving = node.body[0]
    if isinstance(leaving, ir.Return):
        return not any(isinstance(one, ir.Call) for one in ir.walk(leaving.value))
    return isinstance(leaving, ir.Jump)


def _with(machine: Machine, node: ir.With, frame: Frame) -> None:
    _with_items(machine, node.items, node.body, frame)


def _with_items(
    machine: Machine, items: Sequence[tuple[ir.Expr, ir.Expr | None]], body: Sequence[ir.Statement], frame: Frame
) -> None:
    if not items:
        machine.execute(body, frame)
        return
    context, target = items[0]
    manager = evaluate_header(machine, context, frame)

    def inside(value: Value) -> None:
        if target is not None:
            bind_target(machine, target, value, frame)
        _with_items(machine, items[1:], body, frame)

    if isinstance(manager, Suspended):
        _with_generator(machine, manager, frame, inside)
        return
    value = modes.enter(machine, manager)
    _inside_context(machine, context, manager, frame, partial(inside, value))


def _inside_context(machine: Machine, context: ir.Expr, manager: Value, frame: Frame, body: Callable[[], None]) -> None:
    """Run the body of a `with`, then leave the context; where the body stops at a `yield`, that comes later."""
    stays = False
    try:
        body()
    except (TorchError, Raised):
        if not modes.suppresses(manager):
            raise
    except Paused as paused:
        stays = True
        paused.within(partial(_inside_context, machine, context, manager, frame))
        raise
    finally:
        if not stays:
            machine.at(context.place, frame)  # where Python says that `__exit__` is called
            modes.leave(machine, manager)


def _with_generator(machine: Machine, manager: Suspended, frame: Frame, inside: Callable[[Value], None]) -> None:
    """A `@contextmanager` function runs up to its `yield`, then the body of the `with`, then the rest of it."""
    recorder = machine.recorder
    stack, site, library_call = list(machine.stack), recorder.site, recorder.inside
    left: list[Exception] = []

    def at_yield(value: Value) -> None:
        own, machine.stack = machine.stack, stack
        where, what = recorder.site, recorder.inside
        recorder.site, recorder.inside = site, library_call
        try:
            inside(value)
        except (Return, Break, Continue) as signal:  # they leave the body, not the generator
            left.append(signal)
        finally:
            machine.stack, recorder.site, recorder.inside = own, where, what

    machine.resume(manager, at_yield)
    if left:
        raise left[0]


def _try(machine: Machine, node: ir.Try, frame: Frame) -> None:
    _guard(machine, node, frame, partial(machine.execute, node.body, frame))


def _guard(machine: Machine, node: ir.Try, frame: Frame, body: Callable[[], None]) -> None:
    """Run the body of a `try`, and what its outcome asks for; where it stops at a `yield`, that comes later."""
    stays = False
    try:
        try:
            body()
        except (TorchError, Raised) as error:
            handler = next((one for one in node.handlers if _catches(one, error)), None)
            if handler is None:
                raise
            _handle(machine, handler, frame)
        else:
            machine.execute(node.orelse, frame)
    except Paused as paused:
        stays = True
        paused.within(partial(_guard, machine, node, frame))
        raise
    finally:
        if not stays:
            machine.execute(node.final, frame)


def _catches(handler: ir.Handler, error: TorchError | Raised) -> bool:
    """Whether `except type:` takes the error; where one of them is not a builtin exception, it may."""
    kinds = handler.type.items if isinstance(handler.type, ir.Sequence) else [handler.type]
    raised = getattr(builtins, error.kind if isinstance(error, Raised) else "RuntimeError", None)
    wanted = [getattr(builtins, text_of(kind), None) if kind is not None else BaseException for kind in kinds]
    if not isinstance(raised, type) or not all(isinstance(one, type) for one in wanted):
        return True
    return any(issubclass(raised, one) for one in wanted if one is not None)


def _handle(machine: Machine, handler: ir.Handler, frame: Frame) -> None:
    if handler.name:
        frame.bind(handler.name, machine.unknown(handler.name))
    machine.execute(handler.body, frame)


def _match(machine: Machine, node: ir.Match, frame: Frame) -> None:
    before = machine.path.mark()
    subject = evaluate_header(machine, node.subject, frame)
    for at, case in enumerate(node.cases):
        fits = patterns.fits(machine, case.pattern, subject, frame)
        if fits is False:
            continue
        if case.guard is not None:
            fits = machine.truth(machine.evaluate(case.guard, frame))
        if fits or (fits is None and machine.choices.choose(2) == 0):
            because_of = machine.path.made_since(before)
            for other in node.cases[at + 1 :]:
                machine.pass_by(other.body, frame, because_of)
            _execute_arm(machine, case.body, frame, because_of)
            return
        machine.pass_by(case.body, frame, machine.path.made_since(before))


_EXECUTE: dict[type, Callable[[Machine, Any, Frame], None]] = {
    ir.Assign: _assign,
    ir.Annotate: _annotate,
    ir.AugAssign: _aug_assign,
    ir.ExprStatement: _expr,
    ir.Return: _return,
    ir.Raise: _raise,
    ir.Assert: _assert,
    ir.Delete: _delete,
    ir.Jump: _jump,
    ir.Scope: _scope,
    ir.Import: imports.execute,
    ir.ImportFrom: imports.execute_from,
    ir.If: _if,
    ir.For: loops.execute_for,
    ir.While: loops.execute_while,
    ir.With: _with,
    ir.Try: _try,
    ir.Match: _match,
    ir.FunctionDef: definitions.function,
    ir.ClassDef: definitions.cls,
}
