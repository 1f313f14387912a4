"""Calls of anything, by the kind of value that is called."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from inplace_lsp.interpret.machine.intrinsics import INTRINSICS
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.python import containers, library
from inplace_lsp.interpret.python.assumed_optimizers import expect_modules
from inplace_lsp.interpret.python.functions import call_user
from inplace_lsp.interpret.python.instances import instantiate
from inplace_lsp.interpret.state.signatures import put_first
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
    Optimizer,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.torch_api import hooks, modes, modules, optimizers, tensor_methods
from inplace_lsp.source import ir

Keywords = dict[str, Value]


def call(machine: Machine, function: Value, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call `function`. An unknown callee makes its result unknown and nothing else."""
    machine.steps -= 1  # `tick`, without the call
    if machine.steps < 0:
        raise OutOfBudgetError
    kind = type(function)
    if isinstance(function, Function):
        machine.changes += not _only_hands_back(function)
    elif kind not in _CHANGES_NOTHING and function is not AS_IT_IS:
        machine.changes += 1
    how = _CALL.get(kind)
    if how is None:
        if isinstance(function, Unknown) and function.module is not None:
            return call(machine, function.module, arguments, keywords, text)
        expect_modules(machine, text, [*arguments, *keywords.values()])
        name = function.library if isinstance(function, Unknown) else ""
        result = machine.unknown_call(text or "an unknown call", [function, *arguments, *keywords.values()], name)
        result.part = isinstance(function, Unknown) and function.part  # a method of what unseen code gave
        return result
    return how(machine, function, arguments, keywords, text)


_CHANGES_NOTHING = frozenset((Library, Mode))
"""What leaves all values as they are when it is called, or can be seen on those it is given (`lru_cache`)."""


def _only_hands_back(function: Function) -> bool:
    """Whether it is the model of a function that makes its result of what it is given, and changes nothing."""
    return function.frame.globals().model is not None and _is_plain_return(function.definition)


@lru_cache(maxsize=4096)
def _is_plain_return(definition: ir.FunctionDef | ir.Lambda) -> bool:
    """Whether a function has no statement but a `return` that calls nothing of which anything could change."""
    if not isinstance(definition, ir.FunctionDef) or len(definition.body) != 1:
        return False
    (statement,) = definition.body
    if not isinstance(statement, ir.Return) or statement.value is None:
        return False
    nodes = list(ir.walk(statement.value))
    later = {id(node) for made in nodes if isinstance(made, ir.Lambda) for node in ir.walk(made.body)}
    return not any(isinstance(node, ir.Call) and id(node) not in later and not _is_question(node) for node in nodes)


def _is_question(call: ir.Call) -> bool:
    return isinstance(call.function, ir.Name) and call.function.id in ("isinstance", "callable", "bool", "len")


def _library(machine: Machine, function: Library, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return library.call(machine, function.name, arguments, keywords, text)


def _module(
    machine: Machine, module: Module | Container, arguments: list[Value], keywords: Keywords, text: str
) -> Value:
    forward = partial(modules.forward, machine, module, text=text)
    return hooks.around(machine, module, arguments, keywords, forward)


def _object(machine: Machine, value: Instance, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return hooks.around(machine, value, arguments, keywords, partial(_instance, machine, value, text=text))


def _native(machine: Machine, function: Native, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    result: Value = function.call(arguments, keywords)
    return result


def _mode(machine: Machine, mode: Mode, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return modes.decorate(mode, arguments[0]) if arguments else NONE


def _bound(machine: Machine, bound: Bound, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    owner, method = bound.self, bound.method
    if isinstance(method, Function):
        return call_user(machine, method, put_first(owner, arguments), keywords, text)
    if isinstance(owner, Tensor):
        return tensor_methods.call(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Optimizer):
        return optimizers.method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, (Items, Mapping, Known)):
        return containers.method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, (Module, Container, Instance)):
        return modules.method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Class) and method == "apply":
        return INTRINSICS["torch.autograd.Function.apply"].call(machine, put_first(owner, arguments), keywords, text)
    return machine.unknown_call(text or method, [*arguments, *keywords.values()])


def _instance(
    machine: Machine, value: Instance, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    method = value.cls.lookup("__call__")
    if method is None and (value.cls.is_module() or value.cls.library):
        method = value.cls.lookup("forward")
    if isinstance(method, Function):
        return call_user(machine, method, put_first(value, arguments), keywords, text)
    if isinstance(value.base, (Module, Container)):
        return modules.forward(machine, value.base, arguments, keywords, text)
    return machine.unknown_call(text or f"{value.cls.name}()", [*arguments, *keywords.values()])


_CALL: dict[type, Callable[[Machine, Any, list[Value], Keywords, str], Value]] = {
    Function: call_user,
    Bound: _bound,
    Library: _library,
    Class: instantiate,
    Module: _module,
    Container: _module,
    Instance: _object,
    Native: _native,
    Mode: _mode,
}
