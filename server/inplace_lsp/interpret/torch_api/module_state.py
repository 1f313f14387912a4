"""The state of a module as a whole: load it, list it, reset it, replace it."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Container,
    Instance,
    Items,
    Known,
    Mapping,
    Module,
    Tensor,
    Value,
    is_true,
)
from inplace_lsp.interpret.torch_api.module_methods import NOT_SAVED
from inplace_lsp.interpret.torch_api.module_tree import AnyModule, held_parts, walk_modules
from inplace_lsp.tape.model import Actor

Replaced = list[tuple[dict[str, Value], str, Value]]


@intrinsic(
    "torch.nn.Module.load_state_dict(module, /, state_dict, strict=True, assign=False)",
    state_dict="its tensors are copied: what is in them does not matter",
    strict="it says whether a name too many or too few is an error",
)
def _load_state_dict(machine: Machine, module: AnyModule, assign: Value) -> Value:
    """Write every parameter and buffer, or replace them with `assign`."""
    if not is_true(assign):
        with machine.recorder.set_grad_mode(False):
            for _, tensor in _find_saved_tensors(module):
                machine.recorder.write_tensor(tensor, "load_state_dict", actor=Actor.STEP)
    return machine.make_unknown("load_state_dict")


_OLD = "an old spelling of the keywords"


@intrinsic(
    "torch.nn.Module.state_dict(module, /, *args, destination=None, prefix='', keep_vars=False)",
    args=_OLD,
)
def _state_dict(machine: Machine, module: AnyModule, destination: Value, prefix: Value, keep_vars: Value) -> Value:
    """List all parameters and buffers by name, detached unless `keep_vars`."""
    found = destination if isinstance(destination, Mapping) else Mapping({})
    before = prefix.value if isinstance(prefix, Known) else ""
    for name, tensor in _find_saved_tensors(module):
        kept = tensor if is_true(keep_vars) else machine.recorder.new_alias(tensor, "detach", shares_counter=True)
        found.items[f"{before}{name}"] = kept
    return found


def _find_saved_tensors(module: AnyModule) -> Iterator[tuple[str, Tensor]]:
    """Find the parameters and buffers that a state dict contains."""
    hidden: set[str] = set()
    for name, part in walk_modules(module):
        if isinstance(part, Tensor) and name not in hidden:
            yield name, part
        elif isinstance(part, (Module, Container, Instance)):
            names = part.attributes.get(NOT_SAVED)
            own = (
                (str(item.value) for item in names.items if isinstance(item, Known)) if isinstance(names, Items) else ()
            )
            hidden.update(f"{name}.{hidden_name}" if name else hidden_name for hidden_name in own)


@intrinsic("torch.nn.Linear.reset_parameters(module, /)")
def _reset_parameters(machine: Machine, module: AnyModule) -> Value:
    """Write what a layer of torch holds, under no_grad."""
    return _reset_all(machine, module, "reset_parameters")


@intrinsic("torch.nn.BatchNorm1d.reset_running_stats(module, /)")
def _reset_statistics(machine: Machine, module: AnyModule) -> Value:
    """Write the buffers that a layer of torch holds, under no_grad."""
    return _reset_all(machine, module, "reset_running_stats")


OF_LAYERS = {"reset_parameters": "torch.nn.Linear", "reset_running_stats": "torch.nn.BatchNorm1d"}
"""Methods that not every module has, but torch's own layers: by the layer under which they are declared."""


def _reset_all(machine: Machine, module: AnyModule, name: str) -> Value:
    with machine.recorder.set_grad_mode(False):
        for _, tensor in held_parts(module):
            if isinstance(tensor, Tensor) and (name == "reset_parameters" or not tensor.parameter):
                machine.recorder.write_tensor(tensor, name, actor=Actor.STEP)
    return NONE


def replace_tensors(module: Value, tensors: dict[object, Value]) -> Replaced:
    """Replace parameters and buffers of `module` by `tensors`, by dotted name; return what was there."""
    named = {name: below for name, below in walk_modules(module) if isinstance(below, (Module, Container, Instance))}
    replaced: Replaced = []
    for full, tensor in tensors.items():
        path, _, name = str(full).rpartition(".")
        owner = named.get(path)
        if isinstance(owner, (Module, Container, Instance)) and name in owner.attributes:
            replaced.append((owner.attributes, name, owner.attributes[name]))
            owner.attributes[name] = tensor
    return replaced


def put_back_tensors(replaced: Replaced) -> None:
    """Undo `replace_tensors`."""
    for attributes, name, tensor in reversed(replaced):
        attributes[name] = tensor
