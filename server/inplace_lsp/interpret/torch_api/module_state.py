"""The state of a module as a whole: loaded, reset, told, exchanged."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Container, Instance, Known, Mapping, Module, Tensor, Value
from inplace_lsp.interpret.torch_api.module_tree import AnyModule, children, walk
from inplace_lsp.tape.model import Actor

Replaced = list[tuple[dict[str, Value], str, Value]]


def load_state_dict(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Every parameter and buffer is written, unless `assign=True` puts others in their place."""
    assign = keywords.get("assign")
    if isinstance(assign, Known) and assign.value:
        return machine.unknown("load_state_dict")
    with machine.recorder.no_grad():
        for _, item in walk(module):
            if isinstance(item, Tensor):
                machine.recorder.write(item, "load_state_dict", actor=Actor.STEP)
    return machine.unknown("load_state_dict")


def reset(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`reset_parameters` and `reset_running_stats` of torch's own modules write what they hold, under no_grad."""
    with machine.recorder.no_grad():
        for _, item in children(module):
            if isinstance(item, Tensor):
                machine.recorder.write(item, "reset_parameters", actor=Actor.STEP)
    return NONE


def reset_statistics(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`reset_running_stats` writes the buffers."""
    with machine.recorder.no_grad():
        for _, item in children(module):
            if isinstance(item, Tensor) and not item.parameter:
                machine.recorder.write(item, "reset_running_stats", actor=Actor.STEP)
    return NONE


def state_dict(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """All parameters and buffers, detached."""
    entries: dict[object, Value] = {}
    for name, item in walk(module):
        if isinstance(item, Tensor):
            entries[name] = machine.recorder.alias(item, "detach", shares_counter=True)
    return Mapping(entries)


def replace(module: Value, tensors: dict[object, Value]) -> Replaced:
    """Put `tensors`, by dotted name, in place of the parameters and buffers of `module`; what was there."""
    named = {name: below for name, below in walk(module) if isinstance(below, Module | Container | Instance)}
    replaced: Replaced = []
    for full, tensor in tensors.items():
        path, _, name = str(full).rpartition(".")
        owner = named.get(path)
        if isinstance(owner, Module | Container | Instance) and name in owner.attributes:
            replaced.append((owner.attributes, name, owner.attributes[name]))
            owner.attributes[name] = tensor
    return replaced


def put_back(replaced: Replaced) -> None:
    """Undo `replace`."""
    for attributes, name, tensor in reversed(replaced):
        attributes[name] = tensor
