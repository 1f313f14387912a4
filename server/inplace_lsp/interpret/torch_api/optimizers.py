"""Optimizers: `step()` writes the parameters that were given to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Mapping,
    Native,
    Number,
    Optimizer,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.tape.model import Actor

_NAMES = frozenset(
    "SGD Adam AdamW Adagrad Adadelta Adamax ASGD LBFGS NAdam RAdam RMSprop Rprop SparseAdam Adafactor Muon".split()
)
BASE = "Optimizer"
"""The class of torch that users write optimizers of their own from: it keeps the groups and steps nothing."""
_EVALUATIONS = {"LBFGS": 2}
"""How often a step calls its closure, the parameters moved in between: once, but for these."""


def is_optimizer(name: str) -> bool:
    """Whether the dotted name is an optimizer class of torch, or the base of them."""
    module, _, short = name.rpartition(".")
    return module.startswith("torch.optim") and (short in _NAMES or short == BASE)


def construct(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Optimizer:
    """`torch.optim.SGD(params, ...)`."""
    given = arguments[0] if arguments else keywords.get("params", NONE)
    fused = keywords.get("fused")
    machine.gradient_evidence = True
    made = Optimizer(name.rpartition(".")[2], Items("list", []), isinstance(fused, Known) and bool(fused.value))
    defaults = arguments[1] if len(arguments) > 1 and isinstance(arguments[1], Mapping) else None
    options = {**(defaults.items if defaults else {}), **{k: v for k, v in keywords.items() if k != "params"}}
    made.groups.items.extend(_groups(machine, given, options))
    return made


def _groups(machine: Machine, given: Value, options: dict[object, Value]) -> Iterator[Mapping]:
    """The parameter groups: those given as dicts, or one of all parameters."""
    items = list(elements(machine, given)) if isinstance(given, Items) else []
    if items and all(isinstance(item, Mapping) for item in items):
        for item in items:
            yield _group(machine, item, options)
    else:
        yield _group(machine, Mapping({"params": given}), options)


def _group(machine: Machine, given: Value, options: dict[object, Value]) -> Mapping:
    own = given.items if isinstance(given, Mapping) else {}
    tensors: list[Value] = [*_parameters(machine, given)]
    return Mapping({**options, **own, "params": Items("list", tensors)}, open=True)


def _parameters(machine: Machine, given: Value) -> Iterator[Tensor]:
    """Parameters, or groups of them as dicts."""
    if isinstance(given, Tensor):
        yield given
    elif isinstance(given, Mapping):
        group = given.items.get("params")
        if group is not None:
            yield from _parameters(machine, group)
        else:
            for value in given.items.values():
                yield from _parameters(machine, value)
    elif isinstance(given, Items):
        for item in elements(machine, given):
            yield from _parameters(machine, item.items[-1] if isinstance(item, Items) and item.items else item)
    elif isinstance(given, Unknown) and given.tensorlike:
        tensor = tensor_of(machine.recorder, given)
        if tensor is not None:
            yield tensor


def parameters(optimizer: Optimizer) -> list[Tensor]:
    """The tensors in all groups of the optimizer."""
    groups = (group for group in optimizer.groups.items if isinstance(group, Mapping))
    held = (group.items.get("params") for group in groups)
    return [one for items in held if isinstance(items, Items) for one in items.items if isinstance(one, Tensor)]


def attribute(machine: Machine, optimizer: Optimizer, name: str) -> Value | None:
    """`optimizer.name` where it is no method; None if it is one."""
    if name == "param_groups":
        return optimizer.groups
    if name in ("state", "defaults"):
        return optimizer.attributes.setdefault(name, Mapping({}, open=True, default=Native(_new_state)))
    return optimizer.attributes.get(name)


def _new_state(arguments: list[Value], keywords: dict[str, Value]) -> Value:
    return Mapping({})


def method(
    machine: Machine, optimizer: Optimizer, name: str, arguments: list[Value], keywords: dict[str, Value]
) -> Value:
    """`optimizer.name(...)`."""
    if name == "step":
        return _step(machine, optimizer, arguments, keywords)
    if name == "zero_grad":
        clear_gradients(machine, parameters(optimizer), arguments, keywords)
    elif name == "add_param_group" and arguments:
        optimizer.groups.items.append(_group(machine, arguments[0], {}))
    elif name == "state_dict":
        return machine.unknown("state_dict")
    return NONE


def clear_gradients(
    machine: Machine, parameters: Iterable[Tensor], arguments: list[Value], keywords: dict[str, Value]
) -> None:
    """`zero_grad`, of an optimizer or a module: the gradients go, or are written where they are to be kept."""
    to_none = keywords.get("set_to_none", arguments[0] if arguments else NONE)
    kept = isinstance(to_none, Known) and to_none.value is False
    for parameter in parameters:
        if not kept:
            parameter.grad = NONE
        elif isinstance(parameter.grad, Tensor):
            machine.recorder.write(parameter.grad, "zero_", actor=Actor.STEP)


def _step(machine: Machine, optimizer: Optimizer, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    closure = arguments[0] if arguments else keywords.get("closure", NONE)
    has_closure = closure is not NONE and not isinstance(closure, Known | Number)
    result: Value = NONE
    for _ in range(_EVALUATIONS.get(optimizer.name, 1) if has_closure else 1):
        if has_closure:
            result = _evaluate(machine, closure)
        _move(machine, optimizer)
    return result


def _evaluate(machine: Machine, closure: Value) -> Value:
    recorder = machine.recorder
    mode, recorder.grad_mode = recorder.grad_mode, True
    try:
        return machine.call(closure, [], {}, "closure()")
    finally:
        recorder.grad_mode = mode


def _move(machine: Machine, optimizer: Optimizer) -> None:
    """Write the parameters that have a gradient."""
    if optimizer.name == BASE:
        return
    recorder = machine.recorder
    with recorder.no_grad():
        for parameter in parameters(optimizer):
            if parameter.grad is not NONE and parameter.grad is not None:
                recorder.write(parameter, f"{optimizer.name}.step", bumps=not optimizer.fused, actor=Actor.STEP)
