"""Methods and attributes of tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.autograd.recorder import GRADIENT_HOOKS, HOOKS, TorchError
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Library, Native, Number, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api import indexing
from inplace_lsp.interpret.torch_api.handles import removing, removing_from
from inplace_lsp.tape.model import ALWAYS, NEVER
from inplace_lsp.torch_ops.table import find

Arguments = Sequence[Value]
Keywords = Mapping[str, Value]

_INTEGERS = frozenset({"long", "int", "short", "char", "byte", "argmax", "argmin", "argsort", "bincount", "nonzero"})
_BOOLEANS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "logical_not", "logical_and",
                       "logical_or", "logical_xor", "bool", "all", "any", "isclose"})  # fmt: skip
_KEEP_DTYPE = frozenset({"clone", "bitwise_not", "bitwise_and", "bitwise_or", "contiguous", "flip", "roll", "neg",
                         "abs", "repeat", "tile", "index_select", "gather", "unique", "cumsum"})  # fmt: skip
_PROMOTING = frozenset({"add", "sub", "mul", "rsub", "remainder", "floor_divide", "pow", "minimum", "maximum"})


def call(machine: Machine, value: Value, name: str, arguments: Arguments, keywords: Keywords, text: str = "") -> Value:
    """`value.name(*arguments)` of a tensor."""
    tensor = ops.tensor_of(machine.recorder, value)
    if tensor is None:
        return machine.unknown(text or name)
    if tensor.array:
        return _array_method(machine, tensor, name, arguments)
    if name in _METHODS:
        return _METHODS[name](machine, tensor, arguments, keywords)
    return torch_call(machine, f"torch.Tensor.{name}", [tensor, *arguments], keywords, text)


def torch_call(machine: Machine, name: str, arguments: Arguments, keywords: Keywords, text: str = "") -> Value:
    """Call what the op table knows as `name`; an unknown value where it knows nothing that takes these arguments."""
    chosen = ops.choose(find(name), arguments, keywords)
    short = name.rpartition(".")[2]
    if chosen is None:
        return machine.unknown_call(text or short, [*arguments, *keywords.values()])
    overload, bound = chosen
    result = ops.apply(machine.recorder, overload, bound, declared=None)
    return _typed(short, result, bound)


def _typed(name: str, result: Value, bound: Mapping[str, Value]) -> Value:
    """The result with what is known of its element type and extent."""
    if isinstance(result, Tensor) and result not in bound.values():
        source = bound.get("self") or bound.get("input")
        if name in _BOOLEANS:
            result.dtype = "bool"
        elif name in _INTEGERS:
            result.dtype = "int"
        elif name in ("double", "half", "bfloat16", "float_power"):
            result.dtype = ""
        elif name in _KEEP_DTYPE and isinstance(source, Tensor):
            result.dtype = source.dtype
        elif name in _PROMOTING and isinstance(source, Tensor):
            result.dtype = _promoted(source.dtype, bound.get("other", bound.get("exponent", NONE)))
    return result


def _promoted(dtype: str, other: Value) -> str:
    """The element type of `self op other` for a `self` of that type."""
    if isinstance(other, Tensor):
        kinds = {dtype, other.dtype}
        return next(kind for kind in ("float", "", "int", "bool") if kind in kinds)
    if dtype == "float" or (isinstance(other, Known) and isinstance(other.value, float)):
        return "float"
    return "" if isinstance(other, Unknown) and other.tensorlike else dtype


def attribute(machine: Machine, tensor: Tensor, name: str) -> Value | None:
    """`tensor.name` where it is no method; None if it is one."""
    if name in tensor.attributes:
        return tensor.attributes[name]
    if name in _ATTRIBUTES:
        return _ATTRIBUTES[name](machine, tensor)
    return None


def set_attribute(machine: Machine, tensor: Tensor, name: str, value: Value, *, augmented: bool = False) -> None:
    """`tensor.name = value`. After `tensor.data += ...` the attribute gets the very memory it had."""
    if name == "data":
        source = ops.tensor_of(machine.recorder, value)
        if source is not None and not (augmented and source.storage is tensor.storage):
            machine.recorder.set_data(tensor, source)
    elif name == "requires_grad":
        _set_requires_grad(tensor, value)
    elif name == "grad":
        tensor.grad = value
    elif name in _PARTS:
        torch_call(machine, "torch.Tensor.copy_", [_ATTRIBUTES[name](machine, tensor), value], {})
    else:
        tensor.attributes[name] = value


# Special methods


def _backward(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    flags = [*arguments[1:3]]
    retain = keywords.get("retain_graph", flags[0] if flags else NONE)
    create = keywords.get("create_graph", flags[1] if len(flags) > 1 else Known(False))
    inputs = keywords.get("inputs")
    targets = ops.tensors_in(machine.recorder, inputs) if inputs is not None else None
    machine.gradient_evidence = True
    given = arguments[0] if arguments else NONE
    if tensor.assumed and isinstance(given, Tensor) and given.node is not None:  # `engine.backward(loss)`
        tensor = given
    machine.recorder.backward([tensor], retain=is_true(retain) or is_true(create), inputs=targets or None)
    return NONE


def is_true(value: Value) -> bool:
    """Whether `value` is known to be true."""
    return isinstance(value, Known) and bool(value.value)


def _detach(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return machine.recorder.alias(tensor, "detach", shares_counter=True)


def _detach_in_place(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    if tensor.base is not None:
        raise TorchError("detach_: a view cannot be detached in place")
    machine.recorder.write(tensor, "detach_", bumps=False)
    tensor.node, tensor.requires_grad, tensor.leaf = None, NEVER, True
    return tensor


def _requires_grad(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    _set_requires_grad(tensor, arguments[0] if arguments else keywords.get("requires_grad", Known(True)))
    machine.gradient_evidence = True
    return tensor


def _set_requires_grad(tensor: Tensor, value: Value) -> None:
    if isinstance(value, Known) and (tensor.leaf or tensor.assumed):
        tensor.requires_grad = ALWAYS if value.value else NEVER
        if tensor.assumed and tensor.node is None:
            tensor.leaf = True


def _numpy(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return machine.recorder.alias(tensor, ".numpy()", shares_counter=False, array=True)


def _number(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return Number()


def _rank(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return Known(len(tensor.shape)) if tensor.shape is not None else Number()


def _count(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return Known(prod(tensor.layout.shape)) if tensor.layout is not None else Number()


def _size(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    if arguments or keywords:
        index = arguments[0] if arguments else next(iter(keywords.values()))
        return indexing.get(machine, _shape(machine, tensor), index)
    return _shape(machine, tensor)


def _to(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    """The tensor itself where nothing changes; else a copy in the graph."""
    targets = [*arguments, *(v for k, v in keywords.items() if k in ("device", "dtype", "other"))]
    if is_true(keywords.get("copy", NONE)) or not all(_is_default(tensor, t) for t in targets):
        copy = torch_call(machine, "torch.Tensor.clone", [tensor], {})
        if isinstance(copy, Tensor) and not all(isinstance(t, Known) or _is_default(copy, t) for t in targets):
            copy.dtype = "int" if any(isinstance(t, Library) and "int" in t.name for t in targets) else ""
        return copy
    return tensor


def _type(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    """`type(dtype)` is `to(dtype)`; without an argument it is a string."""
    if not arguments and "dtype" not in keywords:
        return machine.unknown("type")
    return _to(machine, tensor, arguments[:1], keywords)


def _is_default(tensor: Tensor, target: Value) -> bool:
    """Whether `tensor` is on that device and of that element type already."""
    if isinstance(target, Known):
        return target.value in ("cpu", None) or isinstance(target.value, bool)
    if isinstance(target, Library):
        return target.name in ("torch.float", "torch.float32") and tensor.dtype == "float"
    return isinstance(target, Tensor) and target.dtype == tensor.dtype


def _same(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return tensor


def _nothing(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return NONE


def _hook(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    """`x.register_hook(hook)`: the walk that comes to the tensor gives it the gradient before it goes on."""
    hook = arguments[0] if arguments else keywords.get("hook", NONE)

    def run(summed: bool) -> None:
        with machine.recorder.no_grad():
            machine.call(hook, [machine.recorder.gradient(summed)], {}, "hook")

    node = tensor.node
    if node is None:
        return _keep_hook(tensor, HOOKS, Native(lambda given, named: run(is_true(given[0]))))
    node.hooks = (*node.hooks, run)

    def remove() -> None:
        node.hooks = tuple(one for one in node.hooks if one is not run)

    return removing(remove)


def _keep_hook(tensor: Tensor, kind: str, hook: Native) -> Value:
    """A leaf keeps the hook until the handle that is returned removes it."""
    held = tensor.attributes.setdefault(kind, Items("list", []))
    kept = held.items if isinstance(held, Items) else []
    kept.append(hook)
    return removing_from(kept, hook)


def _gradient_hook(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    """`p.register_post_accumulate_grad_hook(hook)`: an optimizer may step as soon as the gradient is there."""
    hook = arguments[0] if arguments else keywords.get("hook", NONE)

    def run(given: list[Value], named: dict[str, Value]) -> Value:
        with machine.recorder.no_grad():
            return machine.call(hook, given, named, "hook")

    return _keep_hook(tensor, GRADIENT_HOOKS, Native(run))


def _setitem(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    if len(arguments) == 2:
        indexing.put(machine, tensor, arguments[0], arguments[1])
    return NONE


def _getitem(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return indexing.get(machine, tensor, arguments[0]) if arguments else machine.unknown("an element")


def _set(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    """`set_` gives the tensor other memory; what graphs have saved of it goes with it, behind their back."""
    source = ops.tensor_of(machine.recorder, arguments[0]) if arguments else None
    machine.recorder.write(tensor, "set_")
    if source is not None:
        tensor.storage = source.storage
    return tensor


def _resize(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    """`resize_` counts as a write only if the shape changes."""
    given = arguments[0].items if arguments and isinstance(arguments[0], Items) else arguments
    wanted = [v.value if isinstance(v, Known) and isinstance(v.value, int) else None for v in given]
    known = tensor.shape is not None and None not in (*tensor.shape, *wanted)
    if known and list(tensor.shape or ()) != wanted:
        return torch_call(machine, "torch.Tensor.resize_", [tensor, *arguments], keywords)
    return tensor


def _storage(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    return machine.recorder.alias(tensor, ".untyped_storage()", shares_counter=False, array=True)


def _new(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
    leaf = ALWAYS if is_true(keywords.get("requires_grad", NONE)) else NEVER
    return machine.recorder.fresh("new", requires_grad=leaf)


def _unary_magic(method: str) -> Callable[[Machine, Tensor, Arguments, Keywords], Value]:
    def run(machine: Machine, tensor: Tensor, arguments: Arguments, keywords: Keywords) -> Value:
        return call(machine, tensor, method, arguments, keywords)

    return run


_METHODS: dict[str, Callable[[Machine, Tensor, Arguments, Keywords], Value]] = {
    "backward": _backward,
    "detach": _detach,
    "detach_": _detach_in_place,
    "requires_grad_": _requires_grad,
    "numpy": _numpy,
    "__array__": _numpy,
    "untyped_storage": _storage,
    "storage": _storage,
    "set_": _set,
    "resize_": _resize,
    "size": _size,
    "dim": _rank,
    "ndimension": _rank,
    "numel": _count,
    "nelement": _count,
    "to": _to,
    "type": _type,
    "cuda": _to,
    "cpu": _same,
    "share_memory_": _same,
    "__setitem__": _setitem,
    "__getitem__": _getitem,
    "register_hook": _hook,
    "register_post_accumulate_grad_hook": _gradient_hook,
    "retain_grad": _nothing,
    "new_zeros": _new,
    "new_ones": _new,
    "new_empty": _new,
    "new_full": _new,
    "new_tensor": _new,
    **dict.fromkeys(
        ("item", "tolist", "element_size", "stride", "data_ptr", "get_device",
         "is_contiguous", "is_floating_point", "is_complex", "storage_offset", "__len__", "equal", "allclose",
         "is_same_size", "__bool__", "__float__", "__int__"),
        _number,
    ),
    **{f"__{magic}__": _unary_magic(method) for magic, method in (
        ("iadd", "add_"), ("isub", "sub_"), ("imul", "mul_"), ("itruediv", "div_"), ("add", "add"), ("sub", "sub"),
        ("mul", "mul"), ("truediv", "div"), ("pow", "pow"), ("matmul", "matmul"), ("neg", "neg"), ("ipow", "pow_"))},
}  # fmt: skip


# Attributes


def _data(machine: Machine, tensor: Tensor) -> Value:
    return machine.recorder.alias(tensor, ".data", shares_counter=False)


def _grad(machine: Machine, tensor: Tensor) -> Value:
    if tensor.grad is None:
        tensor.grad = Unknown(f"{tensor.name}.grad", tensorlike=True, may_be_none=True)
        tensor.grad.tensor = machine.recorder.fresh("grad", name=f"{tensor.name}.grad")
    return tensor.grad


def _shape(machine: Machine, tensor: Tensor) -> Value:
    if tensor.shape is not None:
        return Items("tuple", [Known(extent) if extent is not None else Number() for extent in tensor.shape])
    return Items("tuple", [], open=True, more=Number)


def _is_leaf(machine: Machine, tensor: Tensor) -> Value:
    return Known(tensor.leaf) if not tensor.assumed else Number()


def _is_requiring(machine: Machine, tensor: Tensor) -> Value:
    requires = machine.recorder.requires_grad(tensor)
    return Known(True) if requires.always else Known(False) if not requires else Number()


def _transposed(machine: Machine, tensor: Tensor) -> Value:
    view = machine.recorder.view(tensor, "t")
    view.contiguous = False
    shapes.give(view, shapes.of_view("mT", tensor, {}))
    return view


def _part(name: str) -> Callable[[Machine, Tensor], Value]:
    """`z.real`, `z.imag`: a view of every other number in the memory of a complex tensor."""

    def read(machine: Machine, tensor: Tensor) -> Value:
        view = machine.recorder.view(tensor, name)
        view.shape, view.contiguous = tensor.shape, False
        return view

    return read


_PARTS = frozenset({"real", "imag"})


def _library(name: str) -> Callable[[Machine, Tensor], Value]:
    return lambda machine, tensor: Unknown(name)


_ATTRIBUTES: dict[str, Callable[[Machine, Tensor], Value]] = {
    "data": _data,
    "grad": _grad,
    "shape": _shape,
    "is_leaf": _is_leaf,
    "requires_grad": _is_requiring,
    "T": _transposed,
    "mT": _transposed,
    "H": _transposed,
    "mH": _transposed,
    **{name: _part(name) for name in _PARTS},
    "device": _library("device"),
    "dtype": lambda machine, tensor: Library("torch.float32") if tensor.dtype == "float" else Unknown("dtype"),
    "ndim": lambda machine, tensor: Known(len(tensor.shape)) if tensor.shape is not None else Number(),
    "grad_fn": _library("grad_fn"),
    "is_cuda": lambda machine, tensor: Known(False),
    "_version": lambda machine, tensor: Number(),
    "itemsize": lambda machine, tensor: Number(),
    "nbytes": lambda machine, tensor: Number(),
}


# numpy arrays on the memory of a tensor


_ARRAY_WRITES = frozenset(
    {"fill", "sort", "put", "partition", "itemset", "resize", "copy_", "zero_", "fill_", "setfield"}
)
_ARRAY_VIEWS = frozenset({"reshape", "ravel", "transpose", "view", "squeeze", "swapaxes", "diagonal"})


def _array_method(machine: Machine, tensor: Tensor, name: str, arguments: Arguments) -> Value:
    if (name.endswith("_") and not name.startswith("_")) or name in _ARRAY_WRITES:
        machine.recorder.write(tensor, "numpy")
        return tensor
    if name == "__setitem__":
        machine.recorder.write(tensor, "numpy")
        return NONE
    if name in _ARRAY_VIEWS:
        return machine.recorder.alias(tensor, tensor.alias, shares_counter=True, array=True)
    result = machine.unknown(f"{tensor.name}.{name}")
    result.graphless = True
    return result


MEMBERS = frozenset({*_METHODS, *_ATTRIBUTES})
"""Members of a tensor that are handled here and not by the op table."""
