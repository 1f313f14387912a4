"""`nn.Module`s: torch's own from the op table, containers, and what every module can do."""

from __future__ import annotations

import ast
from functools import lru_cache

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, Intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state.signatures import Parameter, bind, put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Computed,
    Container,
    Instance,
    Items,
    Known,
    Module,
    Tensor,
    Unknown,
    Value,
    is_false,
)
from inplace_lsp.interpret.torch_api import module_containers, module_state
from inplace_lsp.tape.model import ALWAYS
from inplace_lsp.torch_ops.model import ModuleOp
from inplace_lsp.torch_ops.table import find, find_module


def construct(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """`nn.Linear(3, 4)`, `nn.Sequential(...)`; None if `name` is no module class of torch."""
    if name in module_containers.CLASSES:
        return INTRINSICS[name].call(machine, arguments, keywords, name)
    op = find_module(name)
    if op is None:
        return None
    bound = _bind_init(op, arguments, keywords)
    if bound is None:
        return machine.unknown_call(name, [*arguments, *keywords.values()])
    attributes: dict[str, Value] = {}
    for attribute, condition in op.parameters:
        exists = not condition or _may_be_true(bound.get(condition))
        attributes[attribute] = _parameter(machine, attribute, _shape(op.name, attribute, bound)) if exists else NONE
    for attribute, condition in op.buffers:
        exists = not condition or _may_be_true(bound.get(condition))
        attributes[attribute] = machine.recorder.fresh("buffer", name=attribute) if exists else NONE
    machine.gradient_evidence = machine.gradient_evidence or bool(op.parameters)
    return Module(op, bound, attributes, machine.recorder.site)


def _parameter(machine: Machine, name: str, shape: tuple[int, ...] | None) -> Tensor:
    parameter = machine.recorder.fresh("Parameter", name=name, requires_grad=ALWAYS)
    parameter.leaf, parameter.parameter = True, True
    shapes.take(parameter, shape)
    return parameter


_SHAPES = {
    ("torch.nn.Linear", "weight"): ("out_features", "in_features"),
    ("torch.nn.Linear", "bias"): ("out_features",),
    ("torch.nn.Bilinear", "weight"): ("out_features", "in1_features", "in2_features"),
    ("torch.nn.Bilinear", "bias"): ("out_features",),
    ("torch.nn.Embedding", "weight"): ("num_embeddings", "embedding_dim"),
}
"""The extents of parameters by the arguments of `__init__`, where the shape of what forward gives follows from them."""


def _shape(module: str, parameter: str, arguments: dict[str, Value]) -> tuple[int, ...] | None:
    given = [arguments.get(name) for name in _SHAPES.get((module, parameter), ("",))]
    known = [one.value for one in given if isinstance(one, Known) and isinstance(one.value, int)]
    return tuple(known) if len(known) == len(given) else None


def _bind_init(op: ModuleOp, arguments: list[Value], keywords: dict[str, Value]) -> dict[str, Value] | None:
    """Return the arguments of a class by name, with the defaults of those not given; None if they do not fit."""
    if any(param.variadic for param in op.init):  # `nn.Identity` takes anything, and looks at nothing
        return {}
    binding = bind(op.init, arguments, keywords)
    if not binding.fits:
        return None
    constants, others = _defaults_of_init(op.name)
    unknown: dict[str, Value] = {name: Unknown(text) for name, text in others}
    return {**constants, **unknown, **binding.values}


def find_defaults(op: ModuleOp) -> dict[str, Value]:
    """Return the arguments with which code out of sight may have made a layer: the defaults where there are some."""
    constants, _ = _defaults_of_init(op.name)
    return {param.name: Unknown(param.name) for param in op.init if not param.variadic} | constants


@lru_cache(maxsize=256)
def _defaults_of_init(name: str) -> tuple[dict[str, Value], tuple[tuple[str, str], ...]]:
    """Return the defaults of a module class's `__init__`: the constants, and the texts of the others."""
    op = find_module(name)
    defaults = {one.name: one.default for one in (op.init if op is not None else ()) if one.default is not None}
    literals = {name: _literal(text) for name, text in defaults.items()}
    constants: dict[str, Value] = {name: Known(value) for name, (found, value) in literals.items() if found}
    return constants, tuple((name, text) for name, text in defaults.items() if name not in constants)


@lru_cache(maxsize=1024)
def _literal(source: str) -> tuple[bool, object]:
    """Whether `source` is a literal, and its value."""
    try:
        return True, ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return False, None


def _may_be_true(value: Value | None) -> bool:
    """Whether an option is set: one that is not known is taken to be."""
    return value is None or not is_false(value)


# Calling


def forward(
    machine: Machine, module: Module | Container, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """`module(...)`."""
    machine.gradient_evidence = True
    if isinstance(module, Container):
        return _forward_container(machine, module, arguments, keywords, text)
    if not module.op.call:
        return _observed(machine, module, arguments, keywords, text)
    given = _forward_arguments(module, arguments, keywords)
    if given is None:
        return machine.unknown(text or module.op.name, arguments)
    chosen = ops.choose(find(module.op.call), [], given)
    if chosen is None:
        return machine.unknown_call(text or module.op.name, [*arguments, *keywords.values()])
    overload, bound = chosen
    return ops.apply(machine.recorder, overload, bound, declared=module.declared)


def _forward_container(
    machine: Machine, module: Container, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    declared = INTRINSICS.get(f"torch.nn.{module.kind}.forward")
    if declared is None:
        return machine.unknown_call(text or module.kind, [*arguments, *keywords.values()])
    return declared.call(machine, put_first(module, arguments), keywords, text)


_OUTPUT_SIZE = Parameter("output_size", required=False)
_OPTIONAL = frozenset(("offsets", "per_sample_weights", _OUTPUT_SIZE.name))
"""What a module's forward may be called without."""


@lru_cache(maxsize=256)
def _parameters_of_forward(name: str) -> tuple[Parameter, ...]:
    """Return what the forward of a module that amounts to a function takes: the sources of its arguments."""
    op = find_module(name)
    if op is None:
        return ()
    sources = dict.fromkeys(source for _, source in op.arguments)
    names = [s for s in sources if not s.startswith("self.") and s != "training" and not _literal(s)[0]]
    found = [Parameter(name, required=name not in _OPTIONAL) for name in names]
    if "conv_transpose" in op.call:  # it says which of the possible extents the result has
        found.append(_OUTPUT_SIZE)
    return tuple(found)


def _forward_arguments(module: Module, arguments: list[Value], keywords: dict[str, Value]) -> dict[str, Value] | None:
    """The arguments of the function that forward amounts to; None if those of the call do not fit."""
    binding = bind(_parameters_of_forward(module.op.name), arguments, keywords)
    if not binding.fits:
        return None
    given: dict[str, Value] = {}
    for parameter, source in module.op.arguments:
        if source in ("training", "self.training"):
            given[parameter] = module.attributes.get("training", Known(True))
        elif source.startswith("self."):
            value = _member(module, source[5:])
            if value is not None:
                given[parameter] = value
        elif _literal(source)[0]:
            given[parameter] = Known(_literal(source)[1])
        elif source in binding.values:
            given[parameter] = binding.values[source]
    return given


def _member(module: Module, name: str) -> Value | None:
    if name in module.attributes:
        found = module.attributes[name]
        return found.compute() if isinstance(found, Computed) else found
    return module.arguments.get(name)


def _observed(machine: Machine, module: Module, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """The forward of a module that is described as a whole: it reads what it holds as `self.NAME`."""
    for overload in module.op.forward_op:
        own = [param.name for param in overload.params if param.name.startswith("self.")]
        binding = bind([param for param in overload.params if param.name not in own], arguments, keywords)
        if not binding.fits:
            continue
        given = binding.values | {name: _member(module, name[5:]) or NONE for name in own}
        if "self.batch_first" in own:
            given["self.batch_first"] = Known(_is_copied(module, given))
        chosen = ops.choose([overload], [], given)
        if chosen is not None:
            result = ops.apply(machine.recorder, *chosen, declared=module.declared)
            return _with_state(result) if module.op.name == "torch.nn.LSTM" else result
    return machine.unknown_call(text or module.op.name, [*arguments, *keywords.values()])


def _is_copied(module: Module, given: dict[str, Value]) -> bool:
    """Whether a layer over sequences keeps a copy of its input: it reads in order, time first, and copies what lies
    otherwise. With `batch_first` that is all but a batch (or a sequence) of one, and what has no batch."""
    batch_first = _may_be_true(module.arguments.get("batch_first", NONE))
    tensor = next((given[name] for name in ("input", "query", "src", "tgt") if name in given), None)
    if not isinstance(tensor, Tensor):
        return batch_first
    flips = batch_first and (tensor.shape is None or len(tensor.shape) == 3)
    if tensor.layout is not None:
        return not (layouts.swapped(tensor.layout, 0, 1) if flips else tensor.layout).contiguous
    return flips or not tensor.contiguous


def _with_state(result: Value) -> Value:
    """`nn.LSTM` gives its output and a pair: the last hidden state and the last cell."""
    if isinstance(result, Items) and len(result.items) == 3:
        return Items("tuple", [result.items[0], Items("tuple", result.items[1:])])
    return result


# Methods


def method(
    machine: Machine, module: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """`module.name(...)` of what modules of torch have."""
    declared = _declared(module, name)
    base = module.base if isinstance(module, Instance) else module
    if declared is not None and isinstance(module, (Module, Container, Instance)):
        return declared.call(machine, put_first(module, arguments), keywords, text)
    if name == "__call__":  # an object whose class says what a call is asks for that of a module
        own = isinstance(module, Instance) and module.cls.lookup("__call__") is not None
        return machine.call(machine.attribute(module, "forward") if own else module, arguments, keywords, text)
    if name == "forward" and isinstance(base, (Module, Container)):
        return forward(machine, base, arguments, keywords, text)
    return machine.unknown_call(text or name, [*arguments, *keywords.values()])


def is_class(name: str) -> bool:
    """Whether the dotted name is a module class of torch, or the base of them."""
    return name == "torch.nn.Module" or name in module_containers.CLASSES or find_module(name) is not None


def has_method(module: Value, name: str) -> bool:
    """Whether modules of torch have that method."""
    return name in ("__call__", "forward") or _declared(module, name) is not None


def _declared(module: Value, name: str) -> Intrinsic | None:
    base = module.base if isinstance(module, Instance) else module
    if name in module_state.OF_LAYERS:
        return INTRINSICS[f"{module_state.OF_LAYERS[name]}.{name}"] if isinstance(base, Module) else None
    container = module_containers.container_of(module)
    own = INTRINSICS.get(f"torch.nn.{container.kind}.{name}") if container is not None else None
    return own or INTRINSICS.get(f"torch.nn.Module.{name}")
