"""Functions of torch that are no ops: they make leaves, walk the graph, run other functions, ask for facts."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.state.values import (
    AS_IT_IS,
    NONE,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Native,
    Node,
    Number,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.torch_api import (
    distributions,
    hooks,
    loading,
    module_state,
    parametrizations,
    tensor_methods,
    training,
    transforms,
)
from inplace_lsp.interpret.torch_api.tensor_methods import is_true
from inplace_lsp.tape.model import ALWAYS, NEVER
from inplace_lsp.torch_ops.table import find


def _tensor(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`torch.tensor(data)`: always new memory."""
    leaf = is_true(keywords.get("requires_grad", NONE))
    result = machine.recorder.fresh("tensor")
    if arguments:
        shape, result.dtype = _literal_extent(arguments[0])
        shapes.take(result, shape)
    dtype = keywords.get("dtype")
    if isinstance(dtype, Library):
        result.dtype = "float" if "float" in dtype.name else "int"
    if leaf:
        result.requires_grad = ALWAYS
        machine.gradient_evidence = True
    return result


def _literal_extent(value: Value) -> tuple[tuple[int | None, ...] | None, str]:
    if isinstance(value, Items) and not value.open and value.items:
        inner, dtype = _literal_extent(value.items[0])
        if any(isinstance(i, Known) and isinstance(i.value, float) for i in value.items):
            dtype = "float"
        return ((len(value.items), *inner) if inner is not None else None), dtype
    if isinstance(value, Known):
        kind = "bool" if isinstance(value.value, bool) else "int" if isinstance(value.value, int) else "float"
        return (), kind
    return None, "float"


def _share(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`as_tensor`, `from_numpy`, `from_dlpack`, `asarray`: the same memory where that can be."""
    source = arguments[0] if arguments else NONE
    tensor = ops.tensor_of(machine.recorder, source) if isinstance(source, Tensor) else None
    if tensor is None:
        return _tensor(machine, arguments, keywords, text)
    if not tensor.array:
        return tensor
    return machine.recorder.alias(tensor, tensor.alias or "from_numpy", shares_counter=False)


def _dlpack(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    source = ops.tensor_of(machine.recorder, arguments[0]) if arguments else None
    if source is None:
        return machine.unknown(text)
    return machine.recorder.alias(source, "dlpack", shares_counter=False)


def _parameter(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`nn.Parameter(t)`: a leaf on the memory and the counter of `t`."""
    source = ops.tensor_of(machine.recorder, arguments[0] if arguments else keywords.get("data", NONE))
    needs = keywords.get("requires_grad", arguments[1] if len(arguments) > 1 else Known(True))
    if source is not None:
        parameter = machine.recorder.alias(source, "Parameter", shares_counter=True)
        parameter.alias = ""
    else:
        parameter = machine.recorder.fresh("Parameter")
    parameter.parameter = True
    if not isinstance(needs, Known) or needs.value:
        parameter.requires_grad = ALWAYS
    machine.gradient_evidence = True
    return parameter


def _grad(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`torch.autograd.grad(outputs, inputs)`."""
    recorder = machine.recorder
    outputs = ops.tensors_in(recorder, arguments[0] if arguments else keywords.get("outputs"))
    inputs = ops.tensors_in(recorder, arguments[1] if len(arguments) > 1 else keywords.get("inputs"))
    create = is_true(keywords.get("create_graph", NONE))
    retain = is_true(keywords.get("retain_graph", Known(create)))
    machine.gradient_evidence = True
    recorder.backward(outputs, retain=retain, inputs=inputs, accumulate=False)
    needs = recorder.needs_grad(outputs) if create else None
    made: list[Value] = []
    for name in [f"{t.name}.grad" for t in inputs] or ["grad"]:
        node = recorder.node("grad", [*outputs, *inputs], needs) if needs else None
        made.append(recorder.fresh("grad", name=name, requires_grad=needs or recorder.needs_grad(()), node=node))
    return Items("tuple", made)


def _einsum(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Of two operands it is a `bmm` of views of them: each is kept for the other's gradient."""
    operands = ops.tensors_in(machine.recorder, Items("tuple", arguments[1:]))
    chosen = ops.choose(find("torch.bmm"), operands, {}) if len(operands) == 2 else None
    if chosen is None:
        return tensor_methods.torch_call(machine, "torch.einsum", arguments, keywords, text)
    equation = arguments[0].value if isinstance(arguments[0], Known) else None
    result = ops.apply(machine.recorder, *chosen, op="einsum")
    if not isinstance(result, Tensor) or not isinstance(equation, str):
        return result
    if _sums_over(equation):  # else it is a product element by element, and no view
        result = machine.recorder.view(result, "view")
    shapes.take(result, shapes.of_einsum(equation, [one.shape for one in operands]))
    return result


def _sums_over(equation: str) -> bool:
    """Whether both operands of an einsum share a letter that the result has not."""
    inputs, arrow, output = equation.partition("->")
    one, _, other = inputs.partition(",")
    letters = set(one) & set(other) - set(". ")
    return bool(letters - set(output)) if arrow else bool(letters)


def _backward(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    recorder = machine.recorder
    retain = is_true(keywords.get("retain_graph", NONE)) or is_true(keywords.get("create_graph", NONE))
    inputs = ops.tensors_in(recorder, keywords["inputs"]) if "inputs" in keywords else None
    machine.gradient_evidence = True
    recorder.backward(ops.tensors_in(recorder, arguments[0] if arguments else NONE), retain=retain, inputs=inputs)
    return NONE


def initialise(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`torch.nn.init.*_`: a write under no_grad."""
    tensor = ops.tensor_of(machine.recorder, arguments[0] if arguments else keywords.get("tensor", NONE))
    if tensor is None:
        return NONE
    if name.endswith("_"):
        with machine.recorder.no_grad():
            machine.recorder.write(tensor, name.rpartition(".")[2])
    return tensor


def clip(machine: Machine, arguments: list[Value], name: str) -> Value:
    """`clip_grad_*_` writes the gradients of what it is given."""
    for tensor in ops.tensors_in(machine.recorder, arguments[0] if arguments else NONE):
        if isinstance(tensor.grad, Tensor):
            machine.recorder.write(tensor.grad, name)
    return machine.recorder.fresh(name)


def _checkpoint(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`checkpoint(f, *args)`: what `f` saves is computed again at backward, from its inputs, which are kept."""
    recorder = machine.recorder
    if not arguments:
        return machine.unknown(text)
    own = {k: v for k, v in keywords.items() if k not in ("use_reentrant", "preserve_rng_state", "context_fn")}
    given = ops.tensors_in(recorder, Items("tuple", arguments[1:]))
    reentrant = is_true(keywords.get("use_reentrant", Known(True)))
    if reentrant and not recorder.needs_grad(given):  # it is a custom Function: no gradient but by its inputs
        with recorder.no_grad():
            return machine.call(arguments[0], arguments[1:], own, text)
    inputs = _kept_inputs(machine, given) if recorder.grad_mode and not reentrant else None
    recorder.hiding += 1
    try:
        result = machine.call(arguments[0], arguments[1:], own, text)
    finally:
        recorder.hiding -= 1
    for tensor in ops.tensors_in(recorder, result):
        if tensor.node is not None and inputs is not None:
            inputs.when = inputs.when | tensor.node.when
            tensor.node.edges.append(inputs)
        elif tensor.node is not None:  # the custom Function of a reentrant one keeps them when it is done
            for one in given:
                recorder.save(tensor.node, one, "checkpoint", "input", tensor.node.when)
    if inputs is not None:
        recorder.needed(inputs)
    return result


def _checkpoint_sequential(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`checkpoint_sequential(layers, segments, input)`: a checkpoint for each run of layers but the last."""
    given = dict(zip(("functions", "segments", "input"), arguments, strict=False)) | keywords
    layers, segments, value = (given.pop(name, NONE) for name in ("functions", "segments", "input"))
    parts = list(elements(machine, layers))
    count = segments.value if isinstance(segments, Known) and isinstance(segments.value, int) else 1
    size = max(1, len(parts) // max(1, count))
    last = size * (count - 1)
    for start in range(0, last, size):
        value = _checkpoint(machine, [_one_after_the_other(machine, parts[start : start + size]), value], given, text)
    return machine.call(_one_after_the_other(machine, parts[last:]), [value], {}, text)


def _one_after_the_other(machine: Machine, layers: Sequence[Value]) -> Native:
    def run(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        value = arguments[0]
        for layer in layers:
            value = machine.call(layer, [value], {})
        return value

    return Native(run, "layers")


def _kept_inputs(machine: Machine, given: list[Tensor]) -> Node:
    """A node that keeps the inputs as they are before the function runs, which may write them."""
    node = machine.recorder.node("checkpoint", given, NEVER)
    for one in given:
        machine.recorder.save(node, one, "checkpoint", "input", NEVER)
    return node


def _functional_call(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`functional_call(module, parameters, args)`: the call with other tensors in place of the module's."""
    given = dict(zip(("module", "parameter_and_buffer_dicts", "args", "kwargs"), arguments, strict=False)) | keywords
    module, inputs, named = (given.get(name, NONE) for name in ("module", "args", "kwargs"))
    tensors = given.get("parameter_and_buffer_dicts", NONE)
    dicts = tensors.items if isinstance(tensors, Items) else [tensors]
    replaced = module_state.replace(
        module, {k: v for one in dicts if isinstance(one, Mapping) for k, v in one.items.items()}
    )
    own = {str(k): v for k, v in named.items.items()} if isinstance(named, Mapping) else {}
    positional = list(inputs.items) if isinstance(inputs, Items) else [inputs] if inputs is not NONE else []
    try:
        return machine.call(module, positional, own, text)
    finally:
        module_state.put_back(replaced)


def _vector_to_parameters(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Sets `.data` of each parameter to a slice of the vector."""
    if len(arguments) > 1:
        for tensor in ops.tensors_in(machine.recorder, arguments[1]):
            machine.recorder.set_data(tensor, machine.recorder.fresh("view"))
    return NONE


def _device(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return arguments[0] if arguments and isinstance(arguments[0], Known) else Unknown("device")


def _available(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Known(False)


def _number(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Number()


def _is_tensor(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    known = arguments and not isinstance(arguments[0], Unknown)
    return Known(isinstance(arguments[0], Tensor)) if known else Number()


def _is_grad_enabled(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Known(machine.recorder.grad_mode)


def _first(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return arguments[0] if arguments else NONE


def _nothing(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return NONE


def _decorator(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """A decorator, or the maker of one, that leaves the function as it is (`wraps`, `torch.compile`, `jit.script`)."""
    if arguments and isinstance(arguments[0], Function | Instance | Native):
        return arguments[0]
    return AS_IT_IS


FUNCTIONS: dict[str, Handler] = {
    "torch.tensor": _tensor,
    "torch.Tensor": _tensor,
    "torch.FloatTensor": _tensor,
    "torch.as_tensor": _share,
    "torch.asarray": _share,
    "torch.from_numpy": _share,
    "torch.from_dlpack": _dlpack,
    "torch.utils.dlpack.from_dlpack": _dlpack,
    "torch.utils.dlpack.to_dlpack": _dlpack,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.nn.Buffer": _share,
    "torch.autograd.Variable": _share,
    "torch.autograd.grad": _grad,
    "torch.einsum": _einsum,
    "torch.autograd.backward": _backward,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.utils.checkpoint.checkpoint_sequential": _checkpoint_sequential,
    "torch.nn.utils.vector_to_parameters": _vector_to_parameters,
    "torch.device": _device,
    "torch.cuda.is_available": _available,
    "torch.backends.mps.is_available": _available,
    "torch.is_tensor": _is_tensor,
    "torch.is_grad_enabled": _is_grad_enabled,
    "torch.manual_seed": _nothing,
    "torch.numel": _number,
    "torch.compile": _decorator,
    **dict.fromkeys(
        ("torch.jit.script", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export", "torch.fx.wrap",
         "torch.compiler.disable", "torch._dynamo.disable", "torch.jit.interface"), _decorator),
    **dict.fromkeys(
        ("torch.jit.is_scripting", "torch.jit.is_tracing", "torch.onnx.is_in_onnx_export",
         "torch.compiler.is_compiling", "torch.overrides.has_torch_function", "torch.is_autocast_enabled"), _available),
    **distributions.MAKERS,
    **hooks.FUNCTIONS,
    **transforms.FUNCTIONS,
    "torch.func.functional_call": _functional_call,
    "torch.nn.utils.stateless.functional_call": _functional_call,
    "torch.utils.data.DataLoader": loading.loader,
    "torch.utils.data.TensorDataset": loading.tensor_dataset,
    **dict.fromkeys(("torch.amp.GradScaler", "torch.GradScaler", "torch.cuda.amp.GradScaler"), training.scaler),
    **dict.fromkeys(("accelerate.Accelerator", "lightning.Fabric", "lightning.fabric.Fabric"), training.accelerator),
    "torch.nn.utils.parametrize.register_parametrization": parametrizations.register,
    "torch.nn.utils.parametrize.remove_parametrizations": parametrizations.remove,
    "torch.nn.utils.remove_weight_norm": parametrizations.remove,
    "torch.nn.utils.remove_spectral_norm": parametrizations.remove,
    "torch.nn.utils.weight_norm": parametrizations.normed(True, "_g", "_v"),
    "torch.nn.utils.spectral_norm": parametrizations.normed(True, "_orig"),
    "torch.nn.utils.parametrizations.weight_norm": parametrizations.normed(True, "original0", "original1"),
    "torch.nn.utils.parametrizations.spectral_norm": parametrizations.normed(True, "original"),
    "torch.nn.utils.parametrizations.orthogonal": parametrizations.normed(True, "original"),
}  # fmt: skip
