"""Optimizers: `step()` writes the parameters that were given to it."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.interpret.iteration import elements
from inplace_lsp.interpret.machine import Machine
from inplace_lsp.interpret.ops import tensor_of
from inplace_lsp.interpret.values import NONE, Items, Known, Mapping, Optimizer, Tensor, Unknown, Value
from inplace_lsp.tape.model import Actor

_NAMES = frozenset(
    [
        "SGD",
        "Adam",
        "AdamW",
        "Adagrad",
        "Adadelta",
        "Adamax",
        "ASGD",
        "LBFGS",
        "NAdam",
        "RAdam",
        "RMSprop",
        "Rprop",
        "SparseAdam",
        "Adafactor",
        "Muon",
    ]
)


def is_optimizer(name: str) -> bool:
    """Whether the dotted name is an optimizer class of torch."""
    module, _, short = name.rpartition(".")
    return module.startswith("torch.optim") and short in _NAMES


def construct(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Optimizer:
    """`torch.optim.SGD(params, ...)`."""
    given = arguments[0] if arguments else keywords.get("params", NONE)
    fused = keywords.get("fused")
    machine.gradient_evidence = True
    return Optimizer(
        name.rpartition(".")[2], list(_parameters(machine, given)), isinstance(fused, Known) and bool(fused.value)
    )


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


def method(
    machine: Machine, optimizer: Optimizer, name: str, arguments: list[Value], keywords: dict[str, Value]
) -> Value:
    """`optimizer.name(...)`."""
    if name == "step":
        return _step(machine, optimizer, arguments, keywords)
    if name == "zero_grad":
        keep = keywords.get("set_to_none", arguments[0] if arguments else NONE)
        for parameter in optimizer.parameters:
            if isinstance(keep, Known) and keep.value is False:
                if isinstance(parameter.grad, Tensor):
                    machine.recorder.write(parameter.grad, "zero_")
            else:
                parameter.grad = NONE
    elif name == "add_param_group" and arguments:
        optimizer.parameters.extend(_parameters(machine, arguments[0]))
    elif name == "param_groups":
        return Items("list", [Mapping({"params": Items("list", list(optimizer.parameters))}, open=True)])
    return NONE


def _step(machine: Machine, optimizer: Optimizer, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    closure = arguments[0] if arguments else keywords.get("closure", NONE)
    result: Value = NONE
    recorder = machine.recorder
    if closure is not NONE and not isinstance(closure, Known):
        mode, recorder.grad_mode = recorder.grad_mode, True
        result = machine.call(closure, [], {}, "closure()")
        recorder.grad_mode = mode
    with recorder.no_grad():
        for parameter in optimizer.parameters:
            if parameter.grad is not NONE and parameter.grad is not None:
                recorder.write(parameter, f"{optimizer.name}.step", bumps=not optimizer.fused, actor=Actor.STEP)
    return result
