"""Torch's own `nn.Module`s: their construction from the op table, their calls and their methods."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, Intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state.signatures import Parameter, bind_arguments, put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Computed,
    Container,
    Instance,
    Items,
    Known,
    Module,
    Number,
    Tensor,
    Unknown,
    Value,
    is_false,
)
from inplace_lsp.interpret.torch_api import module_containers, module_state
from inplace_lsp.interpret.torch_api.table_ops import call_table_op
from inplace_lsp.tape.model import ALWAYS
from inplace_lsp.torch_ops.model import ModuleOp, Overload
from inplace_lsp.torch_ops.table import find_module, find_overloads


def construct_module(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """Construct `nn.Linear(3, 4)`, `nn.Sequential(...)`; return None if `name` is no module class of torch."""
    if name in module_containers.CLASSES:
        return INTRINSICS[name].bind_and_run(machine, arguments, keywords, name)
    op = find_module(name)
    if op is None:
        return None
    bound = _bind_init(op, arguments, keywords)
    if bound is None:
        return machine.unknown_call(name, [*arguments, *keywords.values()])
    attributes: dict[str, Value] = {}
    for attribute, condition in op.parameters:
        exists = _is_registered(bound, condition)
        attributes[attribute] = _make_parameter(machine, op, attribute, bound) if exists else NONE
    for attribute, condition in op.buffers:
        exists = _is_registered(bound, condition)
        attributes[attribute] = machine.recorder.new_tensor("buffer", name=attribute) if exists else NONE
    machine.gradient_evidence = machine.gradient_evidence or bool(op.parameters)
    return Module(op, bound, attributes, machine.recorder.site)


def _is_registered(bound: dict[str, Value], flag: str) -> bool:
    """Return whether the constructor makes the parameter or buffer that a `flag` of it can leave away."""
    return not flag or _may_be_true(bound.get(flag))


def _make_parameter(machine: Machine, op: ModuleOp, name: str, arguments: dict[str, Value]) -> Tensor:
    version = dict(op.versions).get(name, 0)
    parameter = machine.recorder.new_tensor("Parameter", name=name, requires_grad=ALWAYS, version=version)
    parameter.leaf, parameter.parameter = True, True
    shapes.set_shape(parameter, _shape_of_parameter(op.name, name, arguments))
    return parameter


_SHAPES = {
    ("torch.nn.Linear", "weight"): ("out_features", "in_features"),
    ("torch.nn.Linear", "bias"): ("out_features",),
    ("torch.nn.Bilinear", "weight"): ("out_features", "in1_features", "in2_features"),
    ("torch.nn.Bilinear", "bias"): ("out_features",),
    ("torch.nn.Embedding", "weight"): ("num_embeddings", "embedding_dim"),
}
"""The extents of parameters by the arguments of `__init__`, where the shape of what forward gives follows from them."""


_CONVOLUTIONS = {"torch.nn.Conv1d": 1, "torch.nn.Conv2d": 2, "torch.nn.Conv3d": 3}
"""The number of dimensions of a kernel."""


def _shape_of_parameter(module: str, parameter: str, arguments: dict[str, Value]) -> tuple[int, ...] | None:
    if parameter == "weight" and module in _CONVOLUTIONS:
        return _shape_of_kernels(arguments, _CONVOLUTIONS[module])
    return _read_extents([arguments.get(name) for name in _SHAPES.get((module, parameter), ("",))])


def _shape_of_kernels(arguments: dict[str, Value], rank: int) -> tuple[int, ...] | None:
    """Return the shape of a convolution's weight."""
    size = arguments.get("kernel_size")
    kernel = _read_extents(size.items if isinstance(size, Items) else [size] * rank)
    channels = _read_extents([arguments.get(name) for name in ("out_channels", "in_channels", "groups")])
    if kernel is None or channels is None or channels[2] < 1:
        return None
    return (channels[0], channels[1] // channels[2], *kernel)


def _read_extents(given: Sequence[Value | None]) -> tuple[int, ...] | None:
    """Return the numbers; None if one is not known."""
    known = [value.value for value in given if isinstance(value, Known) and isinstance(value.value, int)]
    return tuple(known) if len(known) == len(given) else None


def _bind_init(op: ModuleOp, arguments: list[Value], keywords: dict[str, Value]) -> dict[str, Value] | None:
    """Return the arguments of a class by name, defaults included; None if they do not fit."""
    if any(param.variadic for param in op.init):  # `nn.Identity` takes anything, and looks at nothing
        return {}
    binding = bind_arguments(op.init, arguments, keywords)
    if not binding.fits:
        return None
    constants, others = _defaults_of_init(op.name)
    unknown: dict[str, Value] = {name: Unknown(text) for name, text in others}
    return {**constants, **unknown, **binding.values}


def find_defaults(op: ModuleOp) -> dict[str, Value]:
    """Return the arguments with which code that is not visible may have built a layer: its defaults, else unknowns."""
    constants, _ = _defaults_of_init(op.name)
    return {param.name: Unknown(param.name) for param in op.init if not param.variadic} | constants


@lru_cache(maxsize=256)
def _defaults_of_init(name: str) -> tuple[dict[str, Value], tuple[tuple[str, str], ...]]:
    """Return the defaults of a module class's `__init__`: the constants, and the source of the others."""
    op = find_module(name)
    defaults = {param.name: param.default for param in (op.init if op is not None else ()) if param.default is not None}
    literals = {name: _parse_literal(text) for name, text in defaults.items()}
    constants: dict[str, Value] = {name: Known(value) for name, (found, value) in literals.items() if found}
    return constants, tuple((name, text) for name, text in defaults.items() if name not in constants)


@lru_cache(maxsize=1024)
def _parse_literal(source: str) -> tuple[bool, object]:
    """Return whether `source` is a literal, and its value."""
    try:
        return True, ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return False, None


def _may_be_true(value: Value | None) -> bool:
    """Return whether an option may be set: an unknown one may."""
    return value is None or not is_false(value)


# Calling


def call_forward(
    machine: Machine, module: Module | Container, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Call `module(...)`."""
    machine.gradient_evidence = True
    if isinstance(module, Container):
        return _forward_container(machine, module, arguments, keywords, text)
    if not module.op.call:
        return _call_described_module(machine, module, arguments, keywords, text)
    given = _forward_arguments(module, arguments, keywords)
    if given is None:
        return machine.make_unknown(text or module.op.name, arguments)
    _pad_input(machine, module, given)
    chosen = ops.choose_overload(find_overloads(module.op.call), [], given)
    if chosen is None:
        return machine.unknown_call(text or module.op.name, [*arguments, *keywords.values()])
    overload, bound = chosen
    return ops.apply_overload(machine.recorder, overload, bound, declared=module.declared)


def _pad_input(machine: Machine, module: Module, given: dict[str, Value]) -> None:
    """Pad the input of a convolution as a step of its own, which every mode but zeros is."""
    mode = module.arguments.get("padding_mode")
    if isinstance(mode, Known) and mode.value != "zeros":
        sizes = Items("tuple", [Number(), Number()])
        given["input"] = call_table_op(machine, "torch.nn.functional.pad", [given["input"], sizes, mode], {})


def _forward_container(
    machine: Machine, module: Container, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    declared = INTRINSICS.get(f"torch.nn.{module.kind}.forward")
    if declared is None:
        return machine.unknown_call(text or module.kind, [*arguments, *keywords.values()])
    return declared.bind_and_run(machine, put_first(module, arguments), keywords, text)


_OUTPUT_SIZE = Parameter("output_size", required=False)
_OPTIONAL = frozenset(("offsets", "per_sample_weights", _OUTPUT_SIZE.name))
"""What a module's forward may be called without."""


@lru_cache(maxsize=256)
def _parameters_of_forward(name: str) -> tuple[Parameter, ...]:
    """Return the parameters of a forward that calls one function: the sources of that function's arguments."""
    op = find_module(name)
    if op is None:
        return ()
    sources = dict.fromkeys(source for _, source in op.arguments)
    names = [s for s in sources if not s.startswith("self.") and s != "training" and not _parse_literal(s)[0]]
    found = [Parameter(name, required=name not in _OPTIONAL) for name in names]
    if "conv_transpose" in op.call:  # it says which of the possible extents the result has
        found.append(_OUTPUT_SIZE)
    return tuple(found)


def _forward_arguments(module: Module, arguments: list[Value], keywords: dict[str, Value]) -> dict[str, Value] | None:
    """Return the arguments of the function that forward calls; None if those of the call do not fit."""
    binding = bind_arguments(_parameters_of_forward(module.op.name), arguments, keywords)
    if not binding.fits:
        return None
    given: dict[str, Value] = {}
    for parameter, source in module.op.arguments:
        if source in ("training", "self.training"):
            given[parameter] = module.attributes.get("training", Known(True))
        elif source.startswith("self."):
            value = _find_member(module, source[5:])
            if value is not None:
                given[parameter] = value
        elif _parse_literal(source)[0]:
            given[parameter] = Known(_parse_literal(source)[1])
        elif source in binding.values:
            given[parameter] = binding.values[source]
    return given


def _find_member(module: Module, name: str) -> Value | None:
    if name in module.attributes:
        found = module.attributes[name]
        return found.compute() if isinstance(found, Computed) else found
    return module.arguments.get(name)


def _call_described_module(
    machine: Machine, module: Module, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Call the forward of a module that the op table describes as a whole, with its members as `self.NAME`."""
    packed = next(filter(_is_packed, (*arguments[:1], keywords.get("input", NONE))), None)
    if isinstance(packed, Instance):
        return _call_on_packed_sequences(machine, module, packed, arguments, keywords, text)
    for overload in module.op.forward_op:
        given = _bind_forward(module, overload, arguments, keywords)
        chosen = ops.choose_overload([overload], [], given) if given is not None else None
        if chosen is not None:
            name = module.op.name.rpartition(".")[2]
            result = ops.apply_overload(machine.recorder, *chosen, declared=module.declared, op=name)
            if name in _TURNING and _is_batch_first(module, _find_sequences(chosen[1])):
                _turn_output(result)
            return _pair_lstm_state(result) if name == "LSTM" else result
    return machine.unknown_call(text or module.op.name, [*arguments, *keywords.values()])


def _is_packed(value: Value) -> bool:
    """Return whether the value is a `torch.nn.utils.rnn.PackedSequence`."""
    return isinstance(value, Instance) and value.cls.name == "PackedSequence" and "data" in value.attributes


def _call_on_packed_sequences(
    machine: Machine,
    module: Module,
    packed: Instance,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str,
) -> Value:
    """Call a recurrent layer on packed sequences: it works on their steps, without a batch, and packs its output."""
    steps = packed.attributes["data"]
    module = replace(module, arguments={**module.arguments, "batch_first": Known(False)})
    arguments = [steps if argument is packed else argument for argument in arguments]
    keywords = {name: steps if value is packed else value for name, value in keywords.items()}
    result = _call_described_module(machine, module, arguments, keywords, text)
    if not isinstance(result, Items):
        return result
    return Items("tuple", [machine.call(packed.cls, [result.items[0]], {}), *result.items[1:]])


def _bind_forward(
    module: Module, overload: Overload, arguments: list[Value], keywords: dict[str, Value]
) -> dict[str, Value] | None:
    """Return the arguments and the members that the forward uses, by parameter; None if they do not fit."""
    own = [param.name for param in overload.params if param.name.startswith("self.")]
    binding = bind_arguments([param for param in overload.params if param.name not in own], arguments, keywords)
    if not binding.fits:
        return None
    given = binding.values | {name: _find_member(module, name[5:]) or NONE for name in own}
    if "self.batch_first" in own:
        given["self.batch_first"] = Known(_is_copied(module, given))
    return given


def _is_copied(module: Module, given: dict[str, Value]) -> bool:
    """Return whether a layer over sequences copies its input, as it does unless time comes first in memory. With
    `batch_first` that is every input except one with a batch or a sequence of one, and except one without a batch."""
    tensor = _find_sequences(given)
    flips = _is_batch_first(module, tensor)
    if tensor is None:
        return flips
    if tensor.layout is not None:
        return not (layouts.swap_dimensions(tensor.layout, 0, 1) if flips else tensor.layout).is_contiguous
    return flips or not tensor.contiguous


def _find_sequences(given: Mapping[str, Value]) -> Tensor | None:
    """Return the tensor of sequences that a layer works on; None if it is not known."""
    tensor = next((given[name] for name in ("input", "query", "src", "tgt") if name in given), None)
    return tensor if isinstance(tensor, Tensor) else None


def _is_batch_first(module: Module, sequences: Tensor | None) -> bool:
    """Return whether the layer swaps batch and time of its input: with `batch_first`, unless there is no batch."""
    batched = sequences is None or sequences.shape is None or len(sequences.shape) == 3
    return batched and _may_be_true(module.arguments.get("batch_first", NONE))


_TURNING = frozenset({"RNN", "GRU", "LSTM", "MultiheadAttention"})
"""Layers that compute with time first: with `batch_first` their output is a transposed one."""


def _turn_output(result: Value) -> None:
    """Note that batch and time are swapped in the memory of a layer's output."""
    output = result.items[0] if isinstance(result, Items) else result
    if isinstance(output, Tensor):
        output.contiguous, output.rows_apart, output.swapped = False, True, (0, 1)


def _pair_lstm_state(result: Value) -> Value:
    """Return the output of an `nn.LSTM` and a pair: the last hidden state and the last cell state."""
    if isinstance(result, Items) and len(result.items) == 3:
        return Items("tuple", [result.items[0], Items("tuple", result.items[1:])])
    return result


# Methods


def call_method(
    machine: Machine, module: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Call `module.name(...)`, a method of torch's modules."""
    declared = _find_intrinsic_method(module, name)
    base = module.base if isinstance(module, Instance) else module
    if declared is not None and isinstance(module, (Module, Container, Instance)):
        return declared.bind_and_run(machine, put_first(module, arguments), keywords, text)
    if name == "__call__":  # an object whose class says what a call is asks for that of a module
        own = isinstance(module, Instance) and module.cls.look_up("__call__") is not None
        return machine.call(machine.get_attribute(module, "forward") if own else module, arguments, keywords, text)
    if name == "forward" and isinstance(base, (Module, Container)):
        return call_forward(machine, base, arguments, keywords, text)
    return machine.unknown_call(text or name, [*arguments, *keywords.values()])


def is_module_class(name: str) -> bool:
    """Return whether the dotted name is a module class of torch, or their base class."""
    return name == "torch.nn.Module" or name in module_containers.CLASSES or find_module(name) is not None


def has_method(module: Value, name: str) -> bool:
    """Return whether modules of torch have the method."""
    return name in ("__call__", "forward") or _find_intrinsic_method(module, name) is not None


def _find_intrinsic_method(module: Value, name: str) -> Intrinsic | None:
    base = module.base if isinstance(module, Instance) else module
    if name in module_state.OF_LAYERS:
        return INTRINSICS[f"{module_state.OF_LAYERS[name]}.{name}"] if isinstance(base, Module) else None
    container = module_containers.container_of(module)
    own = INTRINSICS.get(f"torch.nn.{container.kind}.{name}") if container is not None else None
    return own or INTRINSICS.get(f"torch.nn.Module.{name}")
