"""The methods of every `nn.Module`: list its parts, register parts, change its mode."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

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
    Unknown,
    Value,
    is_false,
)
from inplace_lsp.interpret.torch_api import devices, optimizers
from inplace_lsp.interpret.torch_api.module_tree import (
    AnyModule,
    find_parameters,
    find_part,
    held_parts,
    is_module,
    walk_modules,
)
from inplace_lsp.interpret.torch_api.tensor_attributes import train_leaf
from inplace_lsp.tape.model import NEVER

Named = Iterable[tuple[str, Value]]

# Listings

_ONCE = "the same tensors and modules either way, some of them twice"


@intrinsic("torch.nn.Module.parameters(module, /, recurse=True)")
def _list_parameters(machine: Machine, module: AnyModule, recurse: Value) -> Value:
    """List the parameters."""
    return _to_list(_find_tensors(module, recurse, parameter=True))


@intrinsic(
    "torch.nn.Module.named_parameters(module, /, prefix='', recurse=True, remove_duplicate=True)",
    remove_duplicate=_ONCE,
)
def _list_named_parameters(machine: Machine, module: AnyModule, prefix: Value, recurse: Value) -> Value:
    """List the parameters with their names."""
    return _to_list_of_pairs(_find_tensors(module, recurse, parameter=True), prefix)


@intrinsic("torch.nn.Module.buffers(module, /, recurse=True)")
def _list_buffers(machine: Machine, module: AnyModule, recurse: Value) -> Value:
    """List the buffers."""
    return _to_list(_find_tensors(module, recurse, parameter=False))


@intrinsic(
    "torch.nn.Module.named_buffers(module, /, prefix='', recurse=True, remove_duplicate=True)",
    remove_duplicate=_ONCE,
)
def _list_named_buffers(machine: Machine, module: AnyModule, prefix: Value, recurse: Value) -> Value:
    """List the buffers with their names."""
    return _to_list_of_pairs(_find_tensors(module, recurse, parameter=False), prefix)


@intrinsic("torch.nn.Module.modules(module, /, remove_duplicate=True)", remove_duplicate=_ONCE)
def _list_modules(machine: Machine, module: AnyModule) -> Value:
    """List the module and all its descendants."""
    return _to_list(_only_modules(walk_modules(module)))


@intrinsic(
    "torch.nn.Module.named_modules(module, /, memo=None, prefix='', remove_duplicate=True)",
    memo="it holds modules that a caller in torch has listed before",
    remove_duplicate=_ONCE,
)
def _list_named_modules(machine: Machine, module: AnyModule, prefix: Value) -> Value:
    """List the module and all its descendants with their names."""
    return _to_list_of_pairs(_only_modules(walk_modules(module)), prefix)


@intrinsic("torch.nn.Module.children(module, /)")
def _list_children(machine: Machine, module: AnyModule) -> Value:
    """List the modules it holds directly."""
    return _to_list(_only_modules(held_parts(module)))


@intrinsic("torch.nn.Module.named_children(module, /)")
def _list_named_children(machine: Machine, module: AnyModule) -> Value:
    """List the modules it holds directly with their names."""
    return _to_list_of_pairs(_only_modules(held_parts(module)), NONE)


def _find_tensors(module: AnyModule, recurse: Value, *, parameter: bool) -> Named:
    """Find the parameters or the buffers of the module, with those of its descendants if `recurse`."""
    own = is_false(recurse)
    found = ((name, value) for name, value in held_parts(module) if "." not in name) if own else walk_modules(module)
    return ((name, value) for name, value in found if isinstance(value, Tensor) and value.parameter == parameter)


def _only_modules(found: Named) -> Named:
    return ((name, value) for name, value in found if is_module(value))


def _to_list(found: Named) -> Items:
    return Items("list", [value for _, value in found])


def _to_list_of_pairs(found: Named, prefix: Value) -> Items:
    before = str(prefix.value) if isinstance(prefix, Known) and prefix.value else ""
    names = ((".".join(filter(None, (before, name))), value) for name, value in found)
    return Items("list", [Items("tuple", [Known(name), value]) for name, value in names])


@intrinsic(
    "torch.nn.Module.get_submodule(module, /, target)",
    "torch.nn.Module.get_parameter(module, /, target)",
    "torch.nn.Module.get_buffer(module, /, target)",
)
def _get_below(machine: Machine, module: AnyModule, target: Value) -> Value:
    """Return the part with a dotted name."""
    found = find_part(module, str(target.value)) if isinstance(target, Known) else None
    return found if found is not None else machine.make_unknown("a part of a module")


# Parts


@intrinsic(
    "torch.nn.Module.register_buffer(module, /, name, tensor, persistent=True)",
)
def _register_buffer(machine: Machine, module: AnyModule, name: Value, tensor: Value, persistent: Value) -> Value:
    """Register a tensor that is not a parameter."""
    if isinstance(name, Known):
        key = str(name.value)
        _drop_assumed_graph(tensor)
        if isinstance(tensor, Tensor):
            tensor.name = f"self.{key}"
        module.attributes[key] = tensor
        if is_false(persistent):
            hidden = module.attributes.setdefault(NOT_SAVED, Items("set", []))
            if isinstance(hidden, Items):
                hidden.items.append(Known(key))
    return NONE


def _drop_assumed_graph(tensor: Value) -> None:
    """Treat a buffer as a constant: if only unseen code could have given it a graph, it has none."""
    if isinstance(tensor, Unknown):
        tensor.graphless = True
        tensor = tensor.tensor or tensor
    if isinstance(tensor, Tensor) and not tensor.requires_grad.always:
        tensor.requires_grad, tensor.node = NEVER, None


NOT_SAVED = "_non_persistent_buffers_set"
"""Where a module keeps the names of the buffers that are no part of its state."""


@intrinsic("torch.nn.Module.register_parameter(module, /, name, param)")
def _register_parameter(machine: Machine, module: AnyModule, name: Value, param: Value) -> Value:
    """Register a parameter."""
    _hold_part(module, name, param)
    return NONE


@intrinsic(
    "torch.nn.Module.add_module(module_, /, name, module)", "torch.nn.Module.register_module(module_, /, name, module)"
)
def _add_module(machine: Machine, module_: AnyModule, name: Value, module: Value) -> Value:
    """Register a module."""
    _hold_part(module_, name, module)
    return NONE


@intrinsic(
    "torch.nn.Module.set_submodule(module_, /, target, module, strict=False)",
    strict="it says whether a new name is an error",
)
def _set_submodule(machine: Machine, module_: AnyModule, target: Value, module: Value) -> Value:
    """Replace the module with this dotted name."""
    path, _, name = str(target.value).rpartition(".") if isinstance(target, Known) else ("", "", "")
    owner = find_part(module_, path)
    if name and isinstance(owner, (Module, Container, Instance)):
        machine.set_attribute(owner, name, module)
    return NONE


def _hold_part(module: AnyModule, name: Value, value: Value) -> None:
    """Make `value` a part of the module. A container runs it even if its name is not known (`f"block{i}"`)."""
    key = str(name.value) if isinstance(name, Known) else ""
    if key:
        module.attributes[key] = value
    container = module.base if isinstance(module, Instance) else module
    if isinstance(container, Container):
        container.items[key or f"<{len(container.items)}>"] = value


# Modes


@intrinsic("torch.nn.Module.train(module, /, mode=True)")
def _set_training(machine: Machine, module: AnyModule, mode: Value) -> Value:
    """Put the module and its descendants into training mode, or out of it."""
    _set_mode(module, training=not is_false(mode))
    return module


@intrinsic("torch.nn.Module.eval(module, /)")
def _set_evaluation(machine: Machine, module: AnyModule) -> Value:
    """Put the module and its descendants into evaluation mode."""
    _set_mode(module, training=False)
    return module


def _set_mode(module: AnyModule, *, training: bool) -> None:
    for _, part in walk_modules(module):
        if isinstance(part, (Module, Container, Instance)):
            part.attributes["training"] = Known(training)


@intrinsic("torch.nn.Module.requires_grad_(module, /, requires_grad=True)")
def _requires_grad(machine: Machine, module: AnyModule, requires_grad: Value) -> Value:
    """Freeze all parameters, or let them be trained."""
    for _, parameter in find_parameters(module):
        train_leaf(machine, parameter, is_trained=not is_false(requires_grad))
    return module


@intrinsic("torch.nn.Module.zero_grad(module, /, set_to_none=True)")
def _zero_grad(machine: Machine, module: AnyModule, set_to_none: Value) -> Value:
    """Clear the gradients of all parameters."""
    optimizers.clear_gradients(machine, (parameter for _, parameter in find_parameters(module)), set_to_none)
    return NONE


@intrinsic("torch.nn.Module.apply(module, /, fn)")
def _apply_to_modules(machine: Machine, module: AnyModule, fn: Value) -> Value:
    """Call a function with the module and each of its descendants. What it does to the many modules of one class costs
    the budget little more than it does to one: else setting the weights of a deep network would leave nothing for the
    training behind it."""
    met: Tally[object] = Tally()
    for _, part in list(walk_modules(module)):
        if is_module(part):
            before, kind = machine.count_steps(), _find_class(part)
            machine.call(fn, [part], {})
            met[kind] += 1
            if met[kind] > 1:
                machine.refund(before, MOST_REFUNDED)
    return module


def _find_class(part: Value) -> object:
    """Return what identifies the class of a module."""
    return part.op.name if isinstance(part, Module) else id(part.cls) if isinstance(part, Instance) else type(part)


MOST_REFUNDED = 40
"""The steps of a call that are given back at most: enough for what sets the weights of one layer."""


_MOVED = "its parameters get other memory by way of their `.data`: the module and its parameters stay the same objects"


@intrinsic(
    *(f"torch.nn.Module.{name}(module, /, device=None)" for name in ("ipu", "xpu", "mtia")),
    *(f"torch.nn.Module.{name}(module, /)" for name in ("float", "double", "half", "bfloat16", "share_memory")),
    "torch.nn.Module.type(module, /, dst_type)",
    "torch.nn.Module.to_empty(module, /, *, device, recurse=True)",
    **dict.fromkeys(("device", "dst_type", "recurse"), _MOVED),
)
def _convert_module(machine: Machine, module: AnyModule) -> Value:
    """Convert the module to another element type, or to a device of which nothing else is known."""
    return module


@intrinsic("torch.nn.Module.to(module, /, *args, **kwargs)")
def _move_module(machine: Machine, module: AnyModule, args: Items, kwargs: Mapping) -> Value:
    """Move the module to another device or element type."""
    devices.move_module(machine, module, [*args.items, *kwargs.items.values()])
    return module


@intrinsic("torch.nn.Module.cuda(module, /, device=None)", device="one GPU is as good as another")
def _move_module_to_cuda(machine: Machine, module: AnyModule) -> Value:
    """Move the module to a GPU."""
    devices.move_module(machine, module, [devices.CUDA])
    return module


@intrinsic("torch.nn.Module.cpu(module, /)")
def _move_module_to_cpu(machine: Machine, module: AnyModule) -> Value:
    """Move the module to the CPU."""
    devices.move_module(machine, module, [devices.CPU])
    return module


@intrinsic(
    "torch.nn.Module.compile(module, /, *args, **kwargs)",
    module="what is compiled computes the same",
    args="what is compiled computes the same",
    kwargs="what is compiled computes the same",
)
def _compile_module(machine: Machine) -> Value:
    """Compile the module's forward in place."""
    return NONE
