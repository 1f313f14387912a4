"""`nn.Module`s: torch's own from the op table, containers, and what every module can do."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state.values import (
    NONE,
    Bound,
    Computed,
    Container,
    Instance,
    Items,
    Known,
    Mapping,
    Module,
    Number,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.torch_api import hooks, module_state, optimizers, transformers
from inplace_lsp.interpret.torch_api.module_tree import AnyModule, below, children, is_module, parameters, walk
from inplace_lsp.tape.model import ALWAYS, NEVER
from inplace_lsp.torch_ops.model import Param
from inplace_lsp.torch_ops.table import find, find_module

_CONTAINERS = {f"torch.nn.{kind}": kind for kind in
               ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")}  # fmt: skip
_WRAPPERS = ("torch.nn.DataParallel", "torch.nn.parallel.DataParallel", "torch.nn.parallel.DistributedDataParallel")


def construct(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """`nn.Linear(3, 4)`, `nn.Sequential(...)`; None if `name` is no module class of torch."""
    if name in _CONTAINERS:
        return _container(machine, _CONTAINERS[name], arguments)
    if name in _WRAPPERS:
        return Container("DataParallel", {"module": arguments[0] if arguments else keywords.get("module", NONE)})
    stack = transformers.construct(machine, name, arguments, keywords)
    if stack is not None:
        return stack
    op = find_module(name)
    if op is None:
        return None
    bound = _bind_init(op.init, arguments, keywords)
    attributes: dict[str, Value] = {}
    for attribute, condition in op.parameters:
        exists = not condition or _is_true(bound.get(condition))
        attributes[attribute] = _parameter(machine, attribute, _shape(op.name, attribute, bound)) if exists else NONE
    for attribute, condition in op.buffers:
        exists = not condition or _is_true(bound.get(condition))
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


def _bind_init(params: tuple[Param, ...], arguments: list[Value], keywords: dict[str, Value]) -> dict[str, Value]:
    names = [p.name for p in params if not p.keyword_only]
    bound = {p.name: _default(p) for p in params if p.default is not None}
    bound.update(zip(names, arguments, strict=False))
    bound.update(keywords)
    return bound


def _default(param: Param) -> Value:
    found, value = _literal(param.default or "None")
    return Known(value) if found else Unknown(param.default or "")


@lru_cache(maxsize=1024)
def _literal(source: str) -> tuple[bool, object]:
    """Whether `source` is a literal, and its value."""
    try:
        return True, ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return False, None


def _is_true(value: Value | None) -> bool:
    return bool(value.value) if isinstance(value, Known) else True


def _container(machine: Machine, kind: str, arguments: list[Value]) -> Container:
    items: dict[str, Value] = {}
    is_open = False
    for argument in arguments[:1] if kind != "Sequential" else arguments:
        if isinstance(argument, Mapping):
            items.update({str(key): value for key, value in argument.items.items()})
        elif kind == "Sequential":
            items[str(len(items))] = argument
        else:
            found = list(elements(machine, argument))
            items.update({str(i): value for i, value in enumerate(found)})
            is_open = isinstance(argument, Unknown)
    return Container(kind, items, open=is_open)


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
    if module.kind == "DataParallel":
        return machine.call(module.items["module"], arguments, keywords, text)
    if module.kind in transformers.FORWARD:
        return transformers.FORWARD[module.kind](machine, module, arguments, keywords)
    if module.kind != "Sequential":
        return machine.unknown(text or module.kind, arguments)
    value = arguments[0] if arguments else NONE
    for item in list(module.items.values()):
        value = machine.call(item, [value], {}, text)
    return value


def _forward_arguments(module: Module, arguments: list[Value], keywords: dict[str, Value]) -> dict[str, Value] | None:
    """The arguments of the callable that forward amounts to."""
    sources = [source for _, source in module.op.arguments]
    names = [s for s in dict.fromkeys(sources) if not s.startswith("self.") and s != "training" and not _literal(s)[0]]
    inputs = dict(zip(names, arguments, strict=False)) | keywords
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
        elif source in inputs:
            given[parameter] = inputs[source]
    return given if inputs else None


def _member(module: Module, name: str) -> Value | None:
    if name in module.attributes:
        found = module.attributes[name]
        return found.compute() if isinstance(found, Computed) else found
    return module.arguments.get(name)


def _observed(machine: Machine, module: Module, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    read = ((name, _member(module, name)) for name in list(module.attributes))
    parameters = {f"self.{name}": value for name, value in read if isinstance(value, Tensor)}
    for overload in module.op.forward_op:
        wanted = {p.name for p in overload.params}
        given = {**keywords, **{name: value for name, value in parameters.items() if name in wanted}}
        given.update(
            {
                name[5:]: module.arguments[name[5:]]
                for name in wanted
                if name.startswith("self.") and name[5:] in module.arguments and name not in given
            }
        )
        positional = [p for p in overload.params if not p.name.startswith("self.")]
        given.update({p.name: value for p, value in zip(positional, arguments, strict=False)})
        extra = {
            p.name: _member(module, p.name[5:]) or NONE
            for p in overload.params
            if p.name.startswith("self.") and p.name not in given
        }
        given = {name: value for name, value in {**given, **extra}.items() if name in wanted}
        if "training" in wanted:
            given.setdefault("training", module.attributes.get("training", Known(True)))
        if "self.batch_first" in wanted:
            given["self.batch_first"] = Known(_is_copied(module, given))
        chosen = ops.choose([overload], [], given)
        if chosen is not None:
            result = ops.apply(machine.recorder, *chosen, declared=module.declared)
            return _with_state(result) if module.op.name == "torch.nn.LSTM" else result
    return machine.unknown_call(text or module.op.name, [*arguments, *keywords.values()])


def _is_copied(module: Module, given: dict[str, Value]) -> bool:
    """Whether a layer over sequences keeps a copy of its input: it reads in order, time first, and copies what lies
    otherwise. With `batch_first` that is all but a batch (or a sequence) of one, and what has no batch."""
    batch_first = _is_true(module.arguments.get("batch_first", NONE))
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


def _set_mode(module: AnyModule, training: bool) -> None:
    for _, part in walk(module):
        if isinstance(part, Module | Container | Instance):
            part.attributes["training"] = Known(training)


def method(
    machine: Machine, module: AnyModule, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """`module.name(...)` of what every `nn.Module` has."""
    name = name.removeprefix("super.")
    if name in ("train", "eval"):
        flag = arguments[0] if arguments else keywords.get("mode", Known(True))
        _set_mode(module, name == "train" and not (isinstance(flag, Known) and not flag.value))
        return module
    if name in _LISTINGS:
        return Items("list", _LISTINGS[name](module))
    if name in _UNCHANGING:
        return module
    if name in _WITH_MACHINE:
        return _WITH_MACHINE[name](machine, module, arguments, keywords)
    if name == "forward" and isinstance(module, Module | Container):
        return forward(machine, module, arguments, keywords, text)
    if name in ("__call__", "forward"):
        return machine.call(module, arguments, keywords, text)
    if name in ("keys", "items", "values") and isinstance(module, Container | Instance):
        pairs = module.items if isinstance(module, Container) else module.attributes
        mapping = Mapping(dict(pairs))
        return machine.call(Bound(mapping, name), [], {})
    if name in hooks.REGISTERING:
        return hooks.register(machine, module, name, arguments, keywords)
    return NONE


_UNCHANGING = frozenset(
    ("to", "cpu", "cuda", "float", "double", "half", "share_memory", "compile", "to_empty", "bfloat16", "type")
)


def _freeze(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    flag = arguments[0] if arguments else keywords.get("requires_grad", Known(True))
    for _, parameter in parameters(module):
        parameter.requires_grad = ALWAYS if not isinstance(flag, Known) or flag.value else NEVER
    return module


def _apply_function(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    for _, part in list(walk(module)):
        if arguments and isinstance(part, Module | Container | Instance):
            machine.call(arguments[0], [part], {})
    return module


def _below(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    path = arguments[0] if arguments else keywords.get("target", NONE)
    found = below(module, str(path.value)) if isinstance(path, Known) else None
    return found if found is not None else machine.unknown("a part of a module")


def _zero_grad(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    optimizers.clear_gradients(machine, (parameter for _, parameter in parameters(module)), arguments, keywords)
    return NONE


def _register_buffer(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    value = arguments[1] if len(arguments) > 1 else keywords.get("tensor", NONE)
    if arguments and isinstance(arguments[0], Known):
        name = str(arguments[0].value)
        if isinstance(value, Tensor):
            value.name = f"self.{name}"
        module.attributes[name] = value
    return NONE


def _register(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    if len(arguments) > 1 and isinstance(arguments[0], Known):
        module.attributes[str(arguments[0].value)] = arguments[1]
        container = module.base if isinstance(module, Instance) else module
        if isinstance(container, Container):
            container.items[str(arguments[0].value)] = arguments[1]
    return NONE


def _append(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    if isinstance(module, Container) and arguments:
        module.items[str(len(module.items))] = arguments[0]
    return module


def _extend(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    if isinstance(module, Container) and arguments:
        for item in elements(machine, arguments[0]):
            module.items[str(len(module.items))] = item
    return module


def _length(machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    return Known(len(module.items)) if isinstance(module, Container) else Number()


def _pairs(found: list[tuple[str, Value]]) -> list[Value]:
    return [Items("tuple", [Known(name), value]) for name, value in found]


def _buffers(module: Value) -> list[tuple[str, Value]]:
    return [(name, t) for name, t in walk(module) if isinstance(t, Tensor) and not t.parameter]


_LISTINGS: dict[str, Callable[[Value], list[Value]]] = {
    "parameters": lambda module: [t for _, t in parameters(module)],
    "named_parameters": lambda module: _pairs(list(parameters(module))),
    "buffers": lambda module: [t for _, t in _buffers(module)],
    "named_buffers": lambda module: _pairs(_buffers(module)),
    "modules": lambda module: [m for _, m in walk(module) if is_module(m)],
    "named_modules": lambda module: _pairs([(n, m) for n, m in walk(module) if is_module(m)]),
    "children": lambda module: [m for _, m in children(module) if is_module(m)],
    "named_children": lambda module: _pairs([(n, m) for n, m in children(module) if is_module(m)]),
}
_WITH_MACHINE = {
    "requires_grad_": _freeze,
    "apply": _apply_function,
    "get_submodule": _below,
    "get_parameter": _below,
    "get_buffer": _below,
    "zero_grad": _zero_grad,
    "load_state_dict": module_state.load_state_dict,
    "state_dict": module_state.state_dict,
    "register_buffer": _register_buffer,
    "register_parameter": _register,
    "add_module": _register,
    "register_module": _register,
    "append": _append,
    "extend": _extend,
    "__len__": _length,
    "reset_parameters": module_state.reset,
    "reset_running_stats": module_state.reset_statistics,
}
