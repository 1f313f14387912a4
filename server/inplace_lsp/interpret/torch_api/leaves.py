"""Tensors made of data: new memory, memory shared with arrays or other tensors, parameters and buffers."""

from __future__ import annotations

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Library,
    Number,
    Tensor,
    Unknown,
    Value,
    find_integer,
    is_false,
    is_true,
)
from inplace_lsp.interpret.torch_api.factories import element_type, require_grad
from inplace_lsp.interpret.torch_api.new_arrays import new_array, read_element_type
from inplace_lsp.tape.model import ALWAYS, NEVER, When

_PLACE = "where memory lies says nothing of who shares it"


@intrinsic(
    "torch.tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)",
    device=_PLACE,
    pin_memory=_PLACE,
)
def _copy_data(machine: Machine, data: Value, dtype: Value, requires_grad: Value) -> Tensor:
    """Copy the data into new memory."""
    result = machine.recorder.new_tensor("tensor")
    shape, result.dtype = _literal_extent(data)
    shapes.set_shape(result, shape)
    if isinstance(dtype, Library):
        result.dtype = element_type(dtype)
    if is_true(requires_grad):
        require_grad(machine, result)
    return result


_NESTED = "what lies in a nested tensor, and how, says nothing of who shares it"


@intrinsic(
    "torch.nested.nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, "
    "pin_memory=False)",
    **dict.fromkeys(("tensor_list", "dtype", "layout", "device", "pin_memory"), _NESTED),
)
def _nest_data(machine: Machine, requires_grad: Value) -> Tensor:
    """Copy tensors into a nested one, which is a leaf."""
    needs = ALWAYS if is_true(requires_grad) else NEVER
    machine.gradient_evidence = machine.gradient_evidence or bool(needs)
    return machine.recorder.new_tensor("nested_tensor", requires_grad=needs)


@intrinsic(
    "torch.nested.as_nested_tensor(ts, dtype=None, device=None, layout=None)",
    **dict.fromkeys(("dtype", "device", "layout"), _NESTED),
)
def _nest_tensors(machine: Machine, ts: Value, text: str) -> Value:
    """Copy a list of tensors into a nested one, which remembers their graphs; of a single tensor it is a view."""
    recorder = machine.recorder
    if not isinstance(ts, Items):
        return machine.unknown_call(text, [ts])
    tensors = ops.tensors_in(recorder, ts)
    needs = recorder.needs_grad(tensors)
    node = recorder.new_node("as_nested_tensor", tensors, needs) if needs else None
    return recorder.new_tensor("as_nested_tensor", requires_grad=needs, node=node)


def _literal_extent(value: Value) -> tuple[tuple[int | None, ...] | None, str]:
    """Return the extents and the element type of a tensor made of nested lists."""
    if isinstance(value, Known):
        return (), _type_of_number(value.value)
    if isinstance(value, Number):
        return (), "float"
    if not isinstance(value, Items) or not value.items:
        return None, "float"
    inner, dtype = _literal_extent(value.items[0])
    if any(isinstance(i, Known) and isinstance(i.value, float) for i in value.items):
        dtype = "float"
    extent = None if value.open else len(value.items)
    return ((extent, *inner) if inner is not None else None), dtype


def _type_of_number(number: object) -> str:
    if isinstance(number, bool):
        return "bool"
    return "int" if isinstance(number, int) else "float"


def _sign_types(*elements: str) -> tuple[str, ...]:
    """Return the signatures of the old tensor types of these elements, on each device."""
    return tuple(
        f"{place}.{element}Tensor(*data, device=None)" for place in ("torch", "torch.cuda") for element in elements
    )


@intrinsic("torch.Tensor(*data, device=None)", *_sign_types("Float", "Double", "Half", "BFloat16"), device=_PLACE)
def _tensor_of_floats(machine: Machine, data: Items) -> Value:
    """Make a tensor of the data or, given numbers, of those extents."""
    return _make_of_type(machine, data, "float")


@intrinsic(*_sign_types("Long", "Int", "Short", "Char", "Byte"), device=_PLACE)
def _tensor_of_integers(machine: Machine, data: Items) -> Value:
    """Make a tensor of the data or, given numbers, of those extents."""
    return _make_of_type(machine, data, "int")


@intrinsic(*_sign_types("Bool"), device=_PLACE)
def _tensor_of_flags(machine: Machine, data: Items) -> Value:
    """Make a tensor of the data or, given numbers, of those extents."""
    return _make_of_type(machine, data, "bool")


def _make_of_type(machine: Machine, data: Items, dtype: str) -> Value:
    """Make a tensor of the data or, given numbers, of those extents; of a tensor a view, of an array of the very type a
    tensor on its memory."""
    given = data.items[0] if len(data.items) == 1 else None
    if isinstance(given, Tensor) and not given.array:
        return _view_whole(machine, given)
    if isinstance(given, Tensor) and given.dtype == dtype == "float":
        return _convert_array(machine, given, NONE)
    result = machine.recorder.new_tensor("tensor", dtype=dtype)
    if isinstance(given, Items):
        shapes.set_shape(result, _literal_extent(given)[0])
    elif data.items and all(isinstance(item, (Known, Number)) for item in data.items):
        shapes.set_shape(result, tuple(map(find_integer, data.items)))
    return result


def _view_whole(machine: Machine, tensor: Tensor) -> Tensor:
    view = machine.recorder.new_view(tensor, "alias")
    view.shape = tensor.shape
    shapes.set_layout(view, tensor.layout)
    return view


@intrinsic("torch.as_tensor(data, *, dtype=None, device=None)", device=_PLACE)
def _as_tensor(machine: Machine, data: Value, dtype: Value) -> Value:
    """Return the tensor itself, or a tensor on the memory of an array, if no copy is needed."""
    if not isinstance(data, Tensor):
        return _copy_data(machine, data, dtype, NONE)
    return _convert_array(machine, data, dtype) if data.array else _cast_tensor(machine, data, dtype)


@intrinsic("torch.asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None)", device=_PLACE)
def _as_array(machine: Machine, obj: Value, dtype: Value, copy: Value, requires_grad: Value) -> Value:
    """Return the tensor itself or a tensor on an array's memory unless `copy` is set, detached for
    `requires_grad=False`."""
    if not isinstance(obj, Tensor):
        return _copy_data(machine, obj, dtype, requires_grad)
    result = _convert_array(machine, obj, dtype) if obj.array else _cast_tensor(machine, obj, dtype)
    if is_true(copy):
        result = _call_method(machine, result, "clone")
    if isinstance(requires_grad, Known) and requires_grad.value is False:
        result = _call_method(machine, result, "detach")
    return result


@intrinsic("torch.from_numpy(ndarray, /)")
def _from_numpy(machine: Machine, ndarray: Value) -> Value:
    """Return a tensor on the memory of the array, with another version counter."""
    if isinstance(ndarray, Unknown):
        if ndarray.tensor is None and not ndarray.inputs:
            ndarray.tensor = new_array(machine)  # nothing else is taken
        ndarray = ndarray.tensor or ndarray
    return _as_tensor(machine, ndarray, NONE)


@intrinsic(
    "torch.frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False)",
    dtype="the bytes are taken as they are",
    count="which part of the memory it is: all of it is taken",
    offset="which part of the memory it is: all of it is taken",
)
def _from_buffer(machine: Machine, buffer: Value, requires_grad: Value) -> Value:
    """Return a tensor on the memory of a buffer, which is that of an array, with another version counter."""
    tensor = _from_numpy(machine, buffer)
    if isinstance(tensor, Tensor) and is_true(requires_grad):
        require_grad(machine, tensor)
    return tensor


def _convert_array(machine: Machine, array: Tensor, dtype: Value) -> Tensor:
    """Return a tensor on the memory of the array, or on a copy if it has elements of another type."""
    wanted = read_element_type(dtype, array.dtype)
    if wanted == array.dtype:
        return machine.recorder.new_alias(array, array.alias or "from_numpy", shares_counter=False)
    copy = machine.recorder.new_tensor("tensor", dtype=wanted)
    shapes.set_shape(copy, array.shape)
    return copy


def _cast_tensor(machine: Machine, tensor: Tensor, dtype: Value) -> Value:
    return tensor if dtype is NONE or not isinstance(dtype, Library) else _call_method(machine, tensor, "to", dtype)


def _call_method(machine: Machine, tensor: Value, name: str, *arguments: Value) -> Value:
    return machine.call(machine.get_attribute(tensor, name), arguments, {})


@intrinsic(
    "torch.from_dlpack(ext_tensor, *, device=None, copy=None)",
    "torch.utils.dlpack.from_dlpack(ext_tensor, *, device=None, copy=None)",
    device=_PLACE,
    copy="taken for no copy, which shares the least with the source that a program can rely on",
)
def _from_dlpack(machine: Machine, ext_tensor: Value) -> Value:
    """Return a tensor on the same memory with another version counter."""
    source = ops.tensor_of(machine.recorder, ext_tensor)
    if source is None:
        return machine.make_unknown("from_dlpack")
    return machine.recorder.new_alias(source, "dlpack", shares_counter=False)


@intrinsic("torch.utils.dlpack.to_dlpack(tensor, /)")
def _to_dlpack(machine: Machine, tensor: Value) -> Value:
    """Return a tensor on the same memory with another version counter."""
    return _from_dlpack(machine, tensor)


@intrinsic("torch.nn.Parameter(data=None, requires_grad=True)")
def _make_parameter(machine: Machine, data: Value, requires_grad: Value) -> Tensor:
    """Return a leaf on the memory and the version counter of `data`."""
    parameter = _make_leaf(machine, data, "Parameter", NEVER if is_false(requires_grad) else ALWAYS)
    parameter.parameter = True
    machine.gradient_evidence = True
    return parameter


@intrinsic("torch.nn.Buffer(data=None, *, persistent=True)", persistent="it says what a state dict holds")
def _make_buffer(machine: Machine, data: Value) -> Tensor:
    """Return a leaf on the memory and version counter of `data`, which requires grad if `data` does."""
    source = ops.tensor_of(machine.recorder, data)
    needs = machine.recorder.requires_grad(source) if source is not None else NEVER
    return _make_leaf(machine, data, "Buffer", needs)


@intrinsic("torch.autograd.Variable(data=None, requires_grad=False, volatile=False)", volatile="torch ignores it")
def _make_variable(machine: Machine, data: Value, requires_grad: Value) -> Tensor:
    """Return a leaf on the memory and the version counter of `data`."""
    return _make_leaf(machine, data, "Variable", ALWAYS if is_true(requires_grad) else NEVER)


def _make_leaf(machine: Machine, data: Value, op: str, needs: When) -> Tensor:
    source = ops.tensor_of(machine.recorder, data)
    if source is None:
        return machine.recorder.new_tensor(op, requires_grad=needs)
    leaf = machine.recorder.new_alias(source, op, shares_counter=True)
    leaf.alias, leaf.requires_grad = "", needs
    return leaf
