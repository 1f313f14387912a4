"""The methods of numpy arrays, and the ways from a tensor to an array on its memory."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Library, Mapping, Number, Tensor, Unknown, Value, is_false, is_none
from inplace_lsp.interpret.torch_api.new_arrays import (
    DOUBLE,
    join_types,
    new_array,
    read_element_type,
    reshape_array,
    view_array,
)
from inplace_lsp.interpret.torch_api.table_ops import Arguments, Keywords
from inplace_lsp.tape.autograd import ON_CPU

_FORM = "where its elements go says nothing of who shares the memory"
_WRITTEN = "what is written into an array carries no graph"
_COMPUTED = "what is computed from an array carries no graph"


@intrinsic("torch.Tensor.numpy(tensor, /, *, force=False)", force="a tensor without a graph shares its memory anyway")
@intrinsic("torch.Tensor.__array__(tensor, /, dtype=None)", dtype="numpy asks for the array as it is")
def _share_with_numpy(machine: Machine, tensor: Tensor) -> Value:
    """Return an array on the memory of the tensor."""
    way = ON_CPU if tensor.device is not None else ".numpy()"
    return machine.recorder.new_alias(tensor, way, shares_counter=False, array=True)


@intrinsic("torch.Tensor.storage(tensor, /)", "torch.Tensor.untyped_storage(tensor, /)")
def _share_storage(machine: Machine, tensor: Tensor) -> Value:
    """Return the tensor's memory: a write to it bypasses the version counter."""
    return machine.recorder.new_alias(tensor, ".untyped_storage()", shares_counter=False, array=True)


_OWN_WRITES = frozenset({"itemset", "copy_", "zero_", "fill_"})
"""The methods that write and are no longer numpy's, or are those of a storage."""
_OPERATORS = frozenset(
    "add sub mul div floor_divide remainder pow matmul bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
    "bitwise_right_shift neg bitwise_not positive eq ne lt le gt ge".split()
)
"""The methods by which the recorder calls operators."""
_WIDENING = frozenset({"div", "pow"})


def call_array_method(
    machine: Machine, array: Tensor, name: str, arguments: Arguments, keywords: Keywords, text: str
) -> Value:
    """Call `array.name(...)`."""
    if name in _OPERATORS:
        return _apply_operator(machine, array, name, arguments)
    if name == "resize_":  # of a storage: it is given up, or taken back to be filled
        return array
    if name in _OWN_WRITES or (name.endswith("_") and not name.startswith("_")):
        machine.recorder.write_tensor(array, "numpy")
        return array
    if name == "__setitem__":
        machine.recorder.write_tensor(array, "numpy")
        return NONE
    declared = INTRINSICS.get(f"numpy.ndarray.{name}")
    if declared is not None:
        return declared.bind_and_run(machine, [array, *arguments], keywords, text)
    result = machine.make_unknown(f"{array.name}.{name}")
    result.graphless = True
    return result


def _apply_operator(machine: Machine, array: Tensor, name: str, others: Arguments) -> Value:
    """Return the array that an operator computes."""
    joined = join_types([array, *others])
    dtype = DOUBLE if name in _WIDENING and joined != "float" else joined
    same = all(not isinstance(other, Tensor) for other in others)
    return new_array(machine, dtype, array.shape if same and name != "matmul" else None)


@intrinsic(
    "numpy.ndarray.fill(array, /, value)",
    "numpy.ndarray.sort(array, /, axis=-1, kind=None, order=None, *, stable=None)",
    "numpy.ndarray.put(array, indices, values, /, mode='raise')",
    "numpy.ndarray.partition(array, kth, /, axis=-1, kind='introselect', order=None)",
    "numpy.ndarray.resize(array, /, *new_shape, refcheck=True)",
    "numpy.ndarray.setfield(array, val, /, dtype, offset=0)",
    **dict.fromkeys(
        "value axis kind order stable indices values mode kth new_shape refcheck val dtype offset".split(), _WRITTEN
    ),
)
def _write_array(machine: Machine, array: Tensor) -> Value:
    """Write the array in place."""
    machine.recorder.write_tensor(array, "numpy")
    return NONE


@intrinsic(
    "numpy.ndarray.reshape(array, /, *shape, order='C', copy=None)",
    "numpy.ndarray.ravel(array, /, order='C')",
    **dict.fromkeys("shape order copy".split(), _FORM),
)
def _reshape_array(machine: Machine, array: Tensor) -> Value:
    """Return an array of the same elements in other extents."""
    return reshape_array(machine, array)


@intrinsic(
    "numpy.ndarray.view(array, /, *args, **kwargs)",
    "numpy.ndarray.squeeze(array, /, axis=None)",
    **dict.fromkeys("args kwargs axis".split(), _FORM),
)
def _view_array(machine: Machine, array: Tensor) -> Value:
    """Return an array of the same elements in the same order."""
    return view_array(machine, array, contiguous=True)


@intrinsic(
    "numpy.ndarray.transpose(array, /, *axes)",
    "numpy.ndarray.swapaxes(array, axis1, axis2, /)",
    "numpy.ndarray.diagonal(array, /, offset=0, axis1=0, axis2=1)",
    **dict.fromkeys("axes axis1 axis2 offset".split(), _FORM),
)
def _view_in_another_order(machine: Machine, array: Tensor) -> Value:
    """Return an array of the elements in another order."""
    return view_array(machine, array, contiguous=False)


def read_array_attribute(machine: Machine, array: Tensor, name: str) -> Value | None:
    """Return an attribute that arrays have otherwise than tensors; None for any other."""
    if name == "T":
        is_flat = array.shape is not None and len(array.shape) < 2
        return view_array(machine, array, contiguous=array.contiguous and is_flat)
    if name == "flat":
        return view_array(machine, array, contiguous=True)
    if name == "dtype":
        return Library("numpy.float32") if array.dtype == "float" else Unknown("dtype")
    return Number() if name == "size" else None


@intrinsic(
    "numpy.ndarray.astype(array, /, dtype, order='K', casting='unsafe', subok=True, copy=True)",
    order=_FORM,
    casting=_FORM,
    subok=_FORM,
)
def _convert_array(machine: Machine, array: Tensor, dtype: Value, copy: Value) -> Value:
    """Return a copy of another element type; the array itself if nothing changes and no copy is asked for."""
    wanted = read_element_type(dtype)
    return array if is_false(copy) and wanted == array.dtype else new_array(machine, wanted, array.shape)


@intrinsic(
    "numpy.ndarray.copy(array, /, order='C')",
    "numpy.ndarray.round(array, /, decimals=0, out=None)",
    "numpy.ndarray.clip(array, /, min=None, max=None, out=None, **kwargs)",
    **dict.fromkeys("order decimals min max kwargs".split(), _COMPUTED),
)
def _compute_elements(machine: Machine, array: Tensor, out: Value = NONE) -> Value:
    """Return a new array of the same extents, or `out`, written."""
    return write_out(machine, out) or new_array(machine, array.dtype, array.shape)


@intrinsic(
    "numpy.ndarray.flatten(array, /, order='C')",
    "numpy.ndarray.repeat(array, repeats, /, axis=None)",
    "numpy.ndarray.take(array, indices, /, axis=None, out=None, mode='raise')",
    "numpy.ndarray.cumsum(array, /, axis=None, dtype=None, out=None)",
    "numpy.ndarray.cumprod(array, /, axis=None, dtype=None, out=None)",
    **dict.fromkeys("order repeats axis indices mode dtype".split(), _COMPUTED),
)
def _compute_array(machine: Machine, array: Tensor, out: Value = NONE) -> Value:
    """Return a new array, or `out`, written."""
    return write_out(machine, out) or new_array(machine, array.dtype)


@intrinsic(
    "numpy.ndarray.argsort(array, /, axis=-1, kind=None, order=None, *, stable=None)",
    **dict.fromkeys("array axis kind order stable".split(), _COMPUTED),
)
def _find_order(machine: Machine) -> Value:
    """Return a new array of the places of elements."""
    return new_array(machine, "int", (None,))


@intrinsic(
    *(f"numpy.ndarray.{name}(array, /, axis=None, dtype=None, out=None, **kwargs)" for name in ("sum", "mean", "prod")),
    *(f"numpy.ndarray.{name}(array, /, axis=None, out=None, **kwargs)" for name in ("max", "min")),
    dtype=_COMPUTED,
)
def _reduce_array(machine: Machine, array: Tensor, axis: Value, out: Value, kwargs: Mapping) -> Value:
    """Return a number, or the array that is left with an axis; `out` is written."""
    written = write_out(machine, out)
    if written is not None:
        return written
    is_number = is_none(axis) and is_false(kwargs.items.get("keepdims", NONE))
    return Number() if is_number else new_array(machine, array.dtype)


def write_out(machine: Machine, out: Value) -> Tensor | None:
    """Write the array that is given for the result. Return it; None if there is none."""
    if not isinstance(out, Tensor) or not out.array:
        return None
    machine.recorder.write_tensor(out, "numpy")
    return out
