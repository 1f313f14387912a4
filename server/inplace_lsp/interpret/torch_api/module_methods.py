"""What every `nn.Module` can do: list what it holds, take in parts, change its mode."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Container, Instance, Items, Known, Module, Tensor, Value, is_false
from inplace_lsp.interpret.torch_api import optimizers
from inplace_lsp.interpret.torch_api.module_tree import AnyModule, below, children, is_module, parameters, walk
from inplace_lsp.tape.model import ALWAYS, NEVER

Named = Iterable[tuple[str, Value]]

# Listings

_ONCE = "the same tensors and modules either way, some of them twice"


@intrinsic("torch.nn.Module.parameters(module, /, recurse=True)")
def _parameters(machine: Machine, module: AnyModule, recurse: Value) -> Value:
    """List the parameters."""
    return _values(_tensors(module, recurse, parameter=True))


@intrinsic(
    "torch.nn.Module.named_parameters(module, /, prefix='', recurse=True, remove_duplicate=True)",
    remove_duplicate=_ONCE,
)
def _named_parameters(machine: Machine, module: AnyModule, prefix: Value, recurse: Value) -> Value:
    """List the parameters with their names."""
    return _pairs(_tensors(module, recurse, parameter=True), prefix)


@intrinsic("torch.nn.Module.buffers(module, /, recurse=True)")
def _buffers(machine: Machine, module: AnyModule, recurse: Value) -> Value:
    """List the buffers."""
    return _values(_tensors(module, recurse, parameter=False))


@intrinsic(
    "torch.nn.Module.named_buffers(module, /, prefix='', recurse=True, remove_duplicate=True)",
    remove_duplicate=_ONCE,
)
def _named_buffers(machine: Machine, module: AnyModule, prefix: Value, recurse: Value) -> Value:
    """List the buffers with their names."""
    return _pairs(_tensors(module, recurse, parameter=False), prefix)


@intrinsic("torch.nn.Module.modules(module, /, remove_duplicate=True)", remove_duplicate=_ONCE)
def _modules(machine: Machine, module: AnyModule) -> Value:
    """List the module and all below it."""
    return _values(_only_modules(walk(module)))


@intrinsic(
    "torch.nn.Module.named_modules(module, /, memo=None, prefix='', remove_duplicate=True)",
    memo="it holds modules that a caller in torch has listed before",
    remove_duplicate=_ONCE,
)
def _named_modules(machine: Machine, module: AnyModule, prefix: Value) -> Value:
    """List the module and all below it with their names."""
    return _pairs(_only_modules(walk(module)), prefix)


@intrinsic("torch.nn.Module.children(module, /)")
def _children(machine: Machine, module: AnyModule) -> Value:
    """List the modules that it holds itself."""
    return _values(_only_modules(children(module)))


@intrinsic("torch.nn.Module.named_children(module, /)")
def _named_children(machine: Machine, module: AnyModule) -> Value:
    """List the modules that it holds itself with their names."""
    return _pairs(_only_modules(children(module)), NONE)


def _tensors(module: AnyModule, recurse: Value, *, parameter: bool) -> Named:
    """The parameters or the buffers of the module, and those of all below it if `recurse`."""
    own = is_false(recurse)
    found = ((name, value) for name, value in children(module) if "." not in name) if own else walk(module)
    return ((name, one) for name, one in found if isinstance(one, Tensor) and one.parameter == parameter)


def _only_modules(found: Named) -> Named:
    return ((name, one) for name, one in found if is_module(one))


def _values(found: Named) -> Items:
    return Items("list", [one for _, one in found])


def _pairs(found: Named, prefix: Value) -> Items:
    before = str(prefix.value) if isinstance(prefix, Known) and prefix.value else ""
    names = ((".".join(filter(None, (before, name))), one) for name, one in found)
    return Items("list", [Items("tuple", [Known(name), one]) for name, one in names])


@intrinsic(
    "torch.nn.Module.get_submodule(module, /, target)",
    "torch.nn.Module.get_parameter(module, /, target)",
    "torch.nn.Module.get_buffer(module, /, target)",
)
def _get_below(machine: Machine, module: AnyModule, target: Value) -> Value:
    """Find what lies below under a dotted name."""
    found = below(module, str(target.value)) if isinstance(target, Known) else None
    return found if found is not None else machine.unknown("a part of a module")


# Parts


@intrinsic(
    "torch.nn.Module.register_buffer(module, /, name, tensor, persistent=True)",
)
def _register_buffer(machine: Machine, module: AnyModule, name: Value, tensor: Value, persistent: Value) -> Value:
    """Hold a tensor that is no parameter."""
    if isinstance(name, Known):
        key = str(name.value)
        if isinstance(tensor, Tensor):
            tensor.name = f"self.{key}"
        module.attributes[key] = tensor
        if is_false(persistent):
            hidden = module.attributes.setdefault(NOT_SAVED, Items("set", []))
            if isinstance(hidden, Items):
                hidden.items.append(Known(key))
    return NONE


NOT_SAVED = "_non_persistent_buffers_set"
"""Where a module keeps the names of the buffers that are no part of its state."""


@intrinsic("torch.nn.Module.register_parameter(module, /, name, param)")
def _register_parameter(machine: Machine, module: AnyModule, name: Value, param: Value) -> Value:
    """Hold a parameter."""
    _hold(module, name, param)
    return NONE


@intrinsic(
    "torch.nn.Module.add_module(module_, /, name, module)", "torch.nn.Module.register_module(module_, /, name, module)"
)
def _add_module(machine: Machine, module_: AnyModule, name: Value, module: Value) -> Value:
    """Hold a module."""
    _hold(module_, name, module)
    return NONE


@intrinsic(
    "torch.nn.Module.set_submodule(module_, /, target, module, strict=False)",
    strict="it says whether a new name is an error",
)
def _set_submodule(machine: Machine, module_: AnyModule, target: Value, module: Value) -> Value:
    """Put a module in the place of the one with that dotted name."""
    path, _, name = str(target.value).rpartition(".") if isinstance(target, Known) else ("", "", "")
    owner = below(module_, path)
    if name and isinstance(owner, (Module, Container, Instance)):
        machine.set_attribute(owner, name, module)
    return NONE


def _hold(module: AnyModule, name: Value, value: Value) -> None:
    if not isinstance(name, Known):
        return
    module.attributes[str(name.value)] = value
    container = module.base if isinstance(module, Instance) else module
    if isinstance(container, Container):
        container.items[str(name.value)] = value


# Modes


@intrinsic("torch.nn.Module.train(module, /, mode=True)")
def _train(machine: Machine, module: AnyModule, mode: Value) -> Value:
    """Put the module and all below it into training mode, or take them out."""
    _set_mode(module, training=not is_false(mode))
    return module


@intrinsic("torch.nn.Module.eval(module, /)")
def _eval(machine: Machine, module: AnyModule) -> Value:
    """Take the module and all below it out of training mode."""
    _set_mode(module, training=False)
    return module


def _set_mode(module: AnyModule, *, training: bool) -> None:
    for _, part in walk(module):
        if isinstance(part, (Module, Container, Instance)):
            part.attributes["training"] = Known(training)


@intrinsic("torch.nn.Module.requires_grad_(module, /, requires_grad=True)")
def _requires_grad(machine: Machine, module: AnyModule, requires_grad: Value) -> Value:
    """Freeze all parameters, or let them be trained."""
    frozen = is_false(requires_grad)
    for _, parameter in parameters(module):
        parameter.requires_grad = NEVER if frozen else ALWAYS
    return module


@intrinsic("torch.nn.Module.zero_grad(module, /, set_to_none=True)")
def _zero_grad(machine: Machine, module: AnyModule, set_to_none: Value) -> Value:
    """Forget the gradients of all parameters."""
    optimizers.clear_gradients(machine, (parameter for _, parameter in parameters(module)), set_to_none)
    return NONE


@intrinsic("torch.nn.Module.apply(module, /, fn)")
def _apply(machine: Machine, module: AnyModule, fn: Value) -> Value:
    """Call a function with the module and with each below it."""
    for _, part in list(walk(module)):
        if is_module(part):
            machine.call(fn, [part], {})
    return module


_MOVED = "its parameters get other memory by way of their `.data`: the module and its parameters stay the same objects"


@intrinsic(
    "torch.nn.Module.to(module, /, *args, **kwargs)",
    *(f"torch.nn.Module.{name}(module, /, device=None)" for name in ("cuda", "ipu", "xpu", "mtia")),
    *(f"torch.nn.Module.{name}(module, /)" for name in ("cpu", "float", "double", "half", "bfloat16", "share_memory")),
    "torch.nn.Module.type(module, /, dst_type)",
    "torch.nn.Module.to_empty(module, /, *, device, recurse=True)",
    **dict.fromkeys(("args", "kwargs", "device", "dst_type", "recurse"), _MOVED),
)
def _move(machine: Machine, module: AnyModule) -> Value:
    """Move the module to another device or element type."""
    return module


@intrinsic(
    "torch.nn.Module.compile(module, /, *args, **kwargs)",
    module="what is compiled computes the same",
    args="what is compiled computes the same",
    kwargs="what is compiled computes the same",
)
def _compile(machine: Machine) -> Value:
    """Compile the module's forward in place."""
    return NONE
