"""Execute statements, and the ways in which control leaves them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from inplace_lsp.interpret.autograd.guards import Condition
from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Break, Continue, NotFollowedError, Paused, Raised, Return
from inplace_lsp.interpret.python import attributes, definitions, imports, loops, narrowing, operators, patterns
from inplace_lsp.interpret.python.descriptions import describe_condition, describe_expression
from inplace_lsp.interpret.python.expressions import bind_target, evaluate_header, name_element
from inplace_lsp.interpret.state.paths import ControlSignal
from inplace_lsp.interpret.state.spans import make_span
from inplace_lsp.interpret.state.values import NONE, Class, Frame, Instance, Items, Known, Suspended, Value
from inplace_lsp.interpret.torch_api import indexing, modes
from inplace_lsp.source import ir


def execute_body(machine: Machine, body: Sequence[ir.Statement], frame: Frame) -> None:
    """Execute `body`; it is left by a signal, by TorchError, or at its end."""
    scope, recorder, begun = frame.module or frame, machine.recorder, 0
    try:
        for statement in body:
            machine.steps -= 1  # a step, and then `reach_place`, in place: done for every statement
            if machine.steps < 0:
                raise OutOfBudgetError
            if scope.other_module:
                machine.spend_on_module(scope, 1)
            if not scope.third_party:
                recorder.site = make_span(frame.file, frame.row, statement.place)
            begun += 1
            _EXECUTORS[type(statement)](machine, statement, frame)
    except ControlSignal as signal:
        machine.note_untaken(body[begun:], frame, signal.because_of, follows=True)
        raise
    except Paused as paused:
        paused.add_following(partial(execute_body, machine, body[begun:], frame))
        raise
    finally:
        if begun and id(body[begun - 1]) not in machine.executed:  # else those before it are known, too
            machine.executed.update(map(id, body[:begun]))


def _execute_assign(machine: Machine, node: ir.Assign, frame: Frame) -> None:
    before = machine.path.count_decisions() if type(node.value) is ir.IfExp else None
    value = machine.evaluate(node.value, frame)
    if machine.path.taken:
        decisions = machine.path.find_last_since(before) if before is not None else ()
        machine.settled.note_assignment(node, value, frame, decisions)
    for target in node.targets:
        bind_target(machine, target, value, frame)


def _execute_annotate(machine: Machine, node: ir.Annotate, frame: Frame) -> None:
    if node.value is not None:
        bind_target(machine, node.target, machine.evaluate(node.value, frame), frame)
    elif frame.owner is not None and isinstance(node.target, ir.Name):
        fields = frame.names.setdefault("__annotated__", Items("list", []))
        if isinstance(fields, Items):
            fields.items.append(Known(node.target.id))


def _execute_augmented_assign(machine: Machine, node: ir.AugAssign, frame: Frame) -> None:
    target = node.target
    if isinstance(target, ir.Subscript):
        container, index = machine.evaluate(target.value, frame), machine.evaluate(target.index, frame)
        current = indexing.get_element(machine, container, index, describe_expression(target))
        name_element(container, current, target, frame)
        value = machine.evaluate(node.value, frame)
        indexing.put_element(machine, container, index, operators.apply_in_place(machine, node.op, current, value))
    elif isinstance(target, ir.Attribute):
        owner = machine.evaluate(target.value, frame)
        current = machine.get_attribute(owner, target.name, describe_expression(target))
        value = machine.evaluate(node.value, frame)
        result = operators.apply_in_place(machine, node.op, current, value)
        machine.set_attribute(owner, target.name, result, augmented=True)
    else:
        current = machine.evaluate(target, frame)
        value = machine.evaluate(node.value, frame)
        bind_target(machine, target, operators.apply_in_place(machine, node.op, current, value), frame)


def _execute_expression(machine: Machine, node: ir.ExprStatement, frame: Frame) -> None:
    machine.drop_result(machine.evaluate(node.value, frame))


def _execute_return(machine: Machine, node: ir.Return, frame: Frame) -> None:
    raise Return(machine.evaluate(node.value, frame) if node.value is not None else NONE)


def _execute_raise(machine: Machine, node: ir.Raise, frame: Frame) -> None:
    named = node.value.function if isinstance(node.value, ir.Call) else node.value
    value = machine.evaluate(named, frame) if isinstance(named, (ir.Name, ir.Attribute)) else None
    if isinstance(value, Class):
        value = machine.evaluate(node.value, frame) if isinstance(node.value, ir.Call) else machine.call(value, [], {})
    elif isinstance(node.value, ir.Call):
        for argument in node.value.arguments:  # `raise SystemExit(main())` runs the program
            machine.evaluate(argument.value, frame)
    raise Raised(describe_expression(named), value if isinstance(value, Instance) else None)


def _execute_assert(machine: Machine, node: ir.Assert, frame: Frame) -> None:
    _evaluate_assumed_test(machine, node.test, frame, wanted=True)
    narrowing.narrow_names(machine, node.test, taken=True, frame=frame)


def _execute_delete(machine: Machine, node: ir.Delete, frame: Frame) -> None:
    for target in node.targets:
        if isinstance(target, ir.Name):
            frame.names.pop(target.id, None)
        elif isinstance(target, ir.Subscript):
            indexing.remove_element(
                machine, machine.evaluate(target.value, frame), machine.evaluate(target.index, frame)
            )
        elif isinstance(target, ir.Attribute):
            attributes.delete_attribute(machine, machine.evaluate(target.value, frame), target.name)


def _execute_jump(machine: Machine, node: ir.Jump, frame: Frame) -> None:
    if node.kind == "break":
        raise Break
    if node.kind == "continue":
        raise Continue


def _execute_scope(machine: Machine, node: ir.Scope, frame: Frame) -> None:
    for name in node.names:
        frame.scoped[name] = node.kind


def _execute_if(machine: Machine, node: ir.If, frame: Frame) -> None:
    before, choices = machine.path.count_decisions(), machine.choices
    made, only = len(choices.taken), _find_only_arm(node)
    machine.reach_place(node.test.place, frame)
    if only is None:
        value = machine.evaluate(node.test, frame)
    else:
        value = _evaluate_assumed_test(machine, node.test, frame, wanted=only)
    is_open = not isinstance(value, Known) or len(choices.taken) > made
    forced = _find_forced_arm(machine, node, only, frame, is_open=is_open)
    taken = forced if forced is not None else machine.decide_truth(value)
    narrowing.narrow_names(machine, node.test, taken, frame)
    arm, other = (node.body, node.orelse) if taken else (node.orelse, node.body)
    decided = machine.path.find_last_since(before)
    because_of = decided or machine.settled.find_decisions(node.test, frame)
    is_model = (frame.module or frame).model is not None
    if forced is None and (not isinstance(value, Known) or not is_model):
        machine.note_untaken(other, frame, because_of)  # models decide explicitly
    is_guarded = forced is None and bool(decided) and not is_model
    condition = describe_condition(node.test, holds=taken) if is_guarded else None
    if arm:
        _execute_arm(machine, arm, frame, because_of, condition)
    if condition is not None and _ends_by_leaving(other):
        machine.recorder.guards.begin_guard(condition, because_of)


def _evaluate_assumed_test(machine: Machine, test: ir.Expr, frame: Frame, *, wanted: bool) -> Value:
    """Evaluate a test that the program survives only if it comes out as `wanted`: what is open in it is taken to."""
    if isinstance(test, ir.UnaryOp) and test.op == "not":
        return machine.negate_value(_evaluate_assumed_test(machine, test.operand, frame, wanted=not wanted))
    if isinstance(test, ir.BoolOp) and wanted == (test.op == "and"):
        left = _evaluate_assumed_test(machine, test.left, frame, wanted=wanted)
        if isinstance(left, Known) and bool(left.value) != wanted:
            return left
        return _evaluate_assumed_test(machine, test.right, frame, wanted=wanted)
    value = machine.evaluate(test, frame)
    machine.assume_truth(value, wanted)
    return value


def _find_forced_arm(machine: Machine, node: ir.If, only: bool | None, frame: Frame, *, is_open: bool) -> bool | None:
    """Return which arm to take whatever the test says; None if the test decides. `only`: the arm that does not raise;
    `is_open`: the test's value is not known."""
    in_other_module = (frame.module or frame).other_module
    taken = only if is_open or in_other_module else None
    if taken is None and in_other_module and is_open and _only_leaves(node):
        is_explored = machine.choices is machine.path  # else the first answer would hide all others
        return None if is_explored and _is_answer(node, frame) else False
    return taken


def _execute_arm(
    machine: Machine,
    body: Sequence[ir.Statement],
    frame: Frame,
    because_of: tuple[int, ...],
    condition: Condition | None = None,
) -> None:
    """Execute an arm of a branch that these decisions led to; what it records stands under `condition`."""
    try:
        with machine.recorder.guards.run_inside(condition, because_of), machine.settled.inside_arm(because_of):
            execute_body(machine, body, frame)
    except ControlSignal as signal:
        signal.because_of += because_of
        raise


def _ends_by_leaving(body: Sequence[ir.Statement]) -> bool:
    """Return whether a body ends by leaving the function or the pass of a loop: the code behind it then stands under
    the condition that skips it, up to where the function or the pass ends."""
    last = body[-1] if body else None
    return isinstance(last, ir.Return) or (isinstance(last, ir.Jump) and last.kind != "pass")


def _find_only_arm(node: ir.If) -> bool | None:
    """Return which arm to take if the other only raises: a path that ends there shows nothing."""
    if node.body and isinstance(node.body[-1], ir.Raise):
        return False
    if node.orelse and isinstance(node.orelse[-1], ir.Raise):
        return True
    return None


def _only_leaves(node: ir.If) -> bool:
    """Return whether the branch only leaves a function or a loop, so that a path into it would not see the rest."""
    if node.orelse or len(node.body) != 1:
        return False
    leaving = node.body[0]
    if isinstance(leaving, ir.Return):
        return not any(isinstance(part, ir.Call) for part in ir.walk_nodes(leaving.value))
    return isinstance(leaving, ir.Jump)


def _is_answer(node: ir.If, frame: Frame) -> bool:
    """Return whether the branch returns an answer of a function that raises where none of its answers fits."""
    definition = frame.running.definition if frame.running is not None else None
    if not isinstance(definition, ir.FunctionDef) or not isinstance(node.body[0], ir.Return):
        return False
    return isinstance(definition.body[-1], ir.Raise)


def _execute_with(machine: Machine, node: ir.With, frame: Frame) -> None:
    _execute_contexts(machine, node.items, node.body, frame)


def _execute_contexts(
    machine: Machine, items: Sequence[tuple[ir.Expr, ir.Expr | None]], body: Sequence[ir.Statement], frame: Frame
) -> None:
    if not items:
        machine.execute(body, frame)
        return
    context, target = items[0]
    manager = evaluate_header(machine, context, frame)

    def run_inside(value: Value) -> None:
        if target is not None:
            bind_target(machine, target, value, frame)
        _execute_contexts(machine, items[1:], body, frame)

    if isinstance(manager, Suspended):
        _run_in_generator_context(machine, manager, frame, run_inside)
        return
    value = modes.enter_context(machine, manager)
    _run_in_context(machine, context, manager, frame, partial(run_inside, value))


def _run_in_context(machine: Machine, context: ir.Expr, manager: Value, frame: Frame, body: Callable[[], None]) -> None:
    """Run the body of a `with`, then leave the context; if the body pauses at a `yield`, leave it later."""
    stays = False
    try:
        if modes.is_suppressing(manager):
            with machine.recorder.handlers.run_inside(lambda: True):
                body()
        elif modes.is_assumed_to_record(machine, manager):
            with machine.recorder.scopes.run_inside(_describe_context(context)):
                body()
        else:
            body()
    except (TorchError, Raised):
        if not modes.is_suppressing(manager):
            raise
    except Paused as paused:
        stays = True
        paused.add_around(partial(_run_in_context, machine, context, manager, frame))
        raise
    finally:
        if not stays:
            machine.reach_place(context.place, frame)  # Python reports `__exit__` at this place
            modes.leave_context(machine, manager)


def _describe_context(context: ir.Expr) -> str:
    text = describe_expression(context)
    return f"`{text}`" if text else "a context manager that is not in sight"


def _run_in_generator_context(
    machine: Machine, manager: Suspended, frame: Frame, inside: Callable[[Value], None]
) -> None:
    """Run a `@contextmanager` function up to its `yield`, then the body of the `with`, then the rest of it."""
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

    try:
        machine.resume_generator(manager, at_yield)
    except NotFollowedError as refused:
        at_yield(refused.result)
    if left:
        raise left[0]


def _execute_try(machine: Machine, node: ir.Try, frame: Frame) -> None:
    _run_try_body(machine, node, frame, partial(machine.execute, node.body, frame))


def _run_try_body(machine: Machine, node: ir.Try, frame: Frame, body: Callable[[], None]) -> None:
    """Run the body of a `try`, then its handler, `else` and `finally`; if it pauses at a `yield`, run them later."""
    stays = False
    try:
        try:
            with _inside_handlers(machine, node, frame):
                body()
        except (TorchError, Raised) as error:
            handler = next(
                (handler for handler in node.handlers if _catches_error(machine, handler, error, frame)), None
            )
            if handler is None:
                raise
            _handle_error(machine, handler, error, frame)
        else:
            machine.execute(node.orelse, frame)
    except Paused as paused:
        stays = True
        paused.add_around(partial(_run_try_body, machine, node, frame))
        raise
    finally:
        if not stays:
            machine.execute(node.final, frame)


def _inside_handlers(machine: Machine, node: ir.Try, frame: Frame) -> AbstractContextManager[None]:
    """Run the body of a `try`. If it catches an error of torch's, one path goes to the handler, one on in the body."""
    if not node.handlers:
        return nullcontext()

    def is_catching() -> bool:
        return any(_catches_error(machine, handler, TorchError(), frame) for handler in node.handlers)

    explored = machine.path if machine.choices is machine.path else None
    return machine.recorder.handlers.run_inside(is_catching, explored)


def _catches_error(machine: Machine, handler: ir.Handler, error: TorchError | Raised, frame: Frame) -> bool:
    """Return whether `except type:` catches the error; if a type is not known, assume it does."""
    kinds = handler.type.items if isinstance(handler.type, ir.Sequence) else [handler.type]
    return any(kind is None or _is_error_of(machine, error, kind, frame) for kind in kinds)


def _is_error_of(machine: Machine, error: TorchError | Raised, kind: ir.Expr, frame: Frame) -> bool:
    raised = _find_builtin_classes(error)
    wanted = machine.evaluate(kind, frame)
    if isinstance(wanted, Class):
        own = error.value if isinstance(error, Raised) else None
        return wanted in own.cls.list_lineage() if own is not None else not raised
    builtin = getattr(builtins, describe_expression(kind), None)
    return not raised or not isinstance(builtin, type) or any(issubclass(cls, builtin) for cls in raised)


def _find_builtin_classes(error: TorchError | Raised) -> list[type]:
    """Return the builtin classes that the error is of; none if its class is not known."""
    if isinstance(error, TorchError):
        return [RuntimeError]
    lineage = error.value.cls.list_lineage() if error.value is not None else ()
    names = [name.rpartition(".")[2] for cls in lineage for name in cls.library] or [error.kind]
    return [cls for name in names if isinstance(cls := getattr(builtins, name, None), type)]


def _handle_error(machine: Machine, handler: ir.Handler, error: TorchError | Raised, frame: Frame) -> None:
    if handler.name:
        value = error.value if isinstance(error, Raised) else None
        frame.bind_name(handler.name, value or machine.make_unknown(handler.name))
    machine.execute(handler.body, frame)


def _execute_match(machine: Machine, node: ir.Match, frame: Frame) -> None:
    before = machine.path.count_decisions()
    subject = evaluate_header(machine, node.subject, frame)
    for at, case in enumerate(node.cases):
        fits = patterns.match_pattern(machine, case.pattern, subject, frame)
        if fits is False:
            continue
        if case.guard is not None:
            fits = machine.decide_truth(machine.evaluate(case.guard, frame))
        if fits or (fits is None and machine.choices.choose_option(2) == 0):
            because_of = machine.path.find_last_since(before)
            for other in node.cases[at + 1 :]:
                machine.note_untaken(other.body, frame, because_of)
            _execute_arm(machine, case.body, frame, because_of)
            return
        machine.note_untaken(case.body, frame, machine.path.find_last_since(before))


_EXECUTORS: dict[type, Callable[[Machine, Any, Frame], None]] = {
    ir.Assign: _execute_assign,
    ir.Annotate: _execute_annotate,
    ir.AugAssign: _execute_augmented_assign,
    ir.ExprStatement: _execute_expression,
    ir.Return: _execute_return,
    ir.Raise: _execute_raise,
    ir.Assert: _execute_assert,
    ir.Delete: _execute_delete,
    ir.Jump: _execute_jump,
    ir.Scope: _execute_scope,
    ir.Import: imports.execute_import,
    ir.ImportFrom: imports.execute_import_from,
    ir.If: _execute_if,
    ir.For: loops.execute_for,
    ir.While: loops.execute_while,
    ir.With: _execute_with,
    ir.Try: _execute_try,
    ir.Match: _execute_match,
    ir.FunctionDef: definitions.define_function,
    ir.ClassDef: definitions.define_class,
}
