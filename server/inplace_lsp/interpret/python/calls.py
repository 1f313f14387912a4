"""Call any value, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from inplace_lsp.interpret.machine.intrinsics import INTRINSICS
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.python import containers, library, texts
from inplace_lsp.interpret.python.assumed_optimizers import expect_modules
from inplace_lsp.interpret.python.functions import call_user
from inplace_lsp.interpret.python.instances import make_instance
from inplace_lsp.interpret.state.signatures import keep_open, put_first
from inplace_lsp.interpret.state.values import (
    AS_IT_IS,
    NONE,
    Bound,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Mode,
    Module,
    Native,
    Number,
    Optimizer,
    Tensor,
    Unknown,
    Value,
    is_constant,
)
from inplace_lsp.interpret.torch_api import hooks, modes, modules, optimizers, tensor_methods
from inplace_lsp.source import ir
from inplace_lsp.torch_ops.table import find_overloads
from inplace_lsp.uses.members import STORING

Keywords = dict[str, Value]


def call_value(
    machine: Machine, function: Value, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Call `function`. An unknown callee makes its result unknown and has no other effect."""
    machine.steps -= 1  # a step, counted in place
    if machine.steps < 0:
        raise OutOfBudgetError
    kind = type(function)
    if isinstance(function, Function):
        machine.changes += not _changes_nothing(function)
    elif kind not in _CHANGES_NOTHING and function is not AS_IT_IS:
        machine.changes += 1
    call = _CALLERS.get(kind)
    if kind in _NEEDS_ANSWERS and (Number in map(type, arguments) or Number in map(type, keywords.values())):
        arguments, keywords = _settle_arguments(machine, function, arguments, keywords)
    if call is not None:
        return call(machine, function, arguments, keywords, text)
    return _call_unknown(machine, function, arguments, keywords, text)


_NEEDS_ANSWERS = frozenset((Library, Bound, Native))
"""Kinds of callees that look at flags: comparisons given to them are decided, unless the user's code takes them."""


def _settle_arguments(
    machine: Machine, function: Value, arguments: list[Value], keywords: Keywords
) -> tuple[list[Value], Keywords]:
    """Return the arguments of a call with the outcomes of comparisons that are still open."""
    if isinstance(function, Bound) and isinstance(function.method, Function):
        return arguments, keywords
    if isinstance(function, Library) and function.name == "torch._assert":
        return arguments, keywords  # it goes on only if the comparison is true
    for name, value in keywords.items():
        keywords[name] = machine.settle_comparison(value)
    return keep_open(arguments, list(map(machine.settle_comparison, arguments))), keywords


def _call_unknown(machine: Machine, function: Value, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    """Call the module that an unknown stands for, or return the unknown result of an unknown callee."""
    if isinstance(function, Unknown) and function.module is not None:
        made = call_value(machine, function.module, arguments, keywords, text)
        if function.gives_data and isinstance(made, Unknown):  # it is a loss or a source of data, as it is used
            made.gives_data, made.tensorlike = True, False
        return made
    return _make_unknown_result(machine, function, arguments, keywords, text)


def _make_unknown_result(
    machine: Machine, function: Value, arguments: list[Value], keywords: Keywords, text: str
) -> Unknown:
    """Return what is known of the result of an unknown callee, and note what the call may keep."""
    given = [*arguments, *keywords.values()]
    expect_modules(machine, text, given)
    name = function.library if isinstance(function, Unknown) else ""
    result = machine.unknown_call(text or "an unknown call", [function, *given], name)
    result.graphless = result.graphless or _gives_no_graph(machine, function, given)
    if isinstance(function, Unknown):
        result.part = function.part  # a method of an unseen function's result
        result.of_constants = function.part and function.of_constants and all(map(is_constant, given))
        method = function.origin.rpartition(".")[2]
        if method in STORING:  # of a container not in sight, the unknown method keeps what it is given
            function.elements.update((object(), value) for value in given)
        if method in _SAME_EACH_TIME:
            result.truth = machine.share_answers("call", function, *given)
    return result


_SAME_EACH_TIME = texts.METHODS | {"get"}
"""Methods of texts and dicts: with the same arguments, they give the same each time."""


def _gives_no_graph(machine: Machine, function: Value, given: Sequence[Value]) -> bool:
    """Return whether a tensor that an unknown callee returns carries no graph: it is computed under no_grad, or it is a
    tensor method's of one without a graph."""
    unknown = [value for value in given if type(value) is Unknown]
    if not machine.recorder.grad_mode:
        return bool(unknown)
    if not isinstance(function, Unknown) or not function.graphless or not function.part:
        return False
    is_tensor_method = bool(find_overloads(f"torch.Tensor.{function.origin.rpartition('.')[2]}"))
    return is_tensor_method and all(value.graphless for value in unknown)


_CHANGES_NOTHING = frozenset((Library, Mode))
"""Kinds of callees that change no value, or only their arguments, where the change is noticed (`lru_cache`)."""


def _changes_nothing(function: Function) -> bool:
    """Return whether a function is a model that builds its result from its arguments and changes nothing."""
    return function.frame.find_module_scope().model is not None and _is_plain_return(function.definition)


@lru_cache(maxsize=4096)
def _is_plain_return(definition: ir.FunctionDef | ir.Lambda) -> bool:
    """Return whether a function's only statement is a `return` without calls that could change anything."""
    if not isinstance(definition, ir.FunctionDef) or len(definition.body) != 1:
        return False
    (statement,) = definition.body
    if not isinstance(statement, ir.Return) or statement.value is None:
        return False
    nodes = list(ir.walk_nodes(statement.value))
    later = {id(node) for made in nodes if isinstance(made, ir.Lambda) for node in ir.walk_nodes(made.body)}
    return not any(isinstance(node, ir.Call) and id(node) not in later and not _only_asks(node) for node in nodes)


def _only_asks(call: ir.Call) -> bool:
    return isinstance(call.function, ir.Name) and call.function.id in ("isinstance", "callable", "bool", "len")


def _call_library(machine: Machine, function: Library, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return library.call_library(machine, function.name, arguments, keywords, text)


def _call_module(
    machine: Machine, module: Module | Container, arguments: list[Value], keywords: Keywords, text: str
) -> Value:
    own = module.attributes.get("forward")
    if own is None:
        forward = partial(modules.call_forward, machine, module, text=text)
    else:  # somebody has replaced it on this very object
        forward = partial(machine.call, own, text=text)
    return hooks.call_with_hooks(machine, module, arguments, keywords, forward)


def _call_object(machine: Machine, value: Instance, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return hooks.call_with_hooks(
        machine, value, arguments, keywords, partial(_run_object_method, machine, value, text=text)
    )


def _call_native(machine: Machine, function: Native, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return function.call(arguments, keywords)


def _decorate_with_mode(machine: Machine, mode: Mode, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return modes.decorate_with_mode(mode, arguments[0]) if arguments else NONE


def _call_method(
    machine: Machine, bound: Bound, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    owner, method = bound.self, bound.method
    if isinstance(method, Function):
        return call_user(machine, method, put_first(owner, arguments), keywords, text)
    if isinstance(owner, Tensor):
        tensor_methods.refuse_arrays(machine, owner, method, arguments, keywords)
        return tensor_methods.call_tensor_method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Optimizer):
        return optimizers.call_method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, (Items, Mapping, Known)):
        return containers.call_method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, (Module, Container, Instance)):
        return modules.call_method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Unknown):
        return texts.ask_about_end(machine, owner, method, arguments)
    if isinstance(owner, Class) and method == "apply":
        return INTRINSICS["torch.autograd.Function.apply"].bind_and_run(
            machine, put_first(owner, arguments), keywords, text
        )
    return machine.unknown_call(text or method, [*arguments, *keywords.values()])


def _run_object_method(
    machine: Machine, value: Instance, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    method = value.cls.look_up("__call__")
    if method is None and (value.cls.is_module() or value.cls.library):
        own = value.attributes.get("forward")
        if own is not None:  # somebody has replaced it on this very object
            return machine.call(own, arguments, keywords, text)
        method = value.cls.look_up("forward")
    if isinstance(method, Function):
        return call_user(machine, method, put_first(value, arguments), keywords, text)
    if isinstance(value.base, (Module, Container)):
        return modules.call_forward(machine, value.base, arguments, keywords, text)
    return machine.unknown_call(text or f"{value.cls.name}()", [*arguments, *keywords.values()])


_CALLERS: dict[type, Callable[[Machine, Any, list[Value], Keywords, str], Value]] = {
    Function: call_user,
    Bound: _call_method,
    Library: _call_library,
    Class: make_instance,
    Module: _call_module,
    Container: _call_module,
    Instance: _call_object,
    Native: _call_native,
    Mode: _decorate_with_mode,
}
