"""Make numpy arrays: their memory, their element type as far as torch asks for it, and their extents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.state.values import Items, Known, Library, Number, Storage, Tensor, Unknown, Value, is_none
from inplace_lsp.interpret.torch_api.factories import read_extents
from inplace_lsp.tape.model import NEVER, ViewKind

DOUBLE = ""
"""The element type of numpy's default, float64, and of all floats that are not float32: torch copies them for
`.float()`."""
_FLOATS = frozenset({"float32", "single", "f4", "<f4", "f"})
_BOOLS = frozenset({"bool", "bool_", "?"})
_INTEGERS = frozenset({"long", "short", "byte", "intp", "i", "i4", "i8", "u1", "<i4", "<i8", "l", "q"})


def new_array(machine: Machine, dtype: str = DOUBLE, shape: Sequence[int | None] | None = None) -> Tensor:
    """Return an array with memory of its own."""
    made = machine.recorder.new_tensor("numpy array", dtype=dtype)
    made.array, made.alias = True, "numpy"
    shapes.set_shape(made, shape)
    return made


def view_array(machine: Machine, array: Tensor, *, contiguous: bool) -> Tensor:
    """Return another array on the memory of `array`, of other extents; `contiguous`: its elements keep their order."""
    view = machine.recorder.new_alias(array, array.alias, shares_counter=True, array=True)
    view.shape = view.layout = None
    view.contiguous = contiguous and array.contiguous
    return view


def reshape_array(machine: Machine, array: Tensor) -> Tensor:
    """Return an array of the same elements in other extents: a copy, unless they lie in order."""
    return view_array(machine, array, contiguous=True) if array.contiguous else new_array(machine, array.dtype)


def is_array(value: Value) -> bool:
    """Return whether `value` is a numpy array."""
    return isinstance(value, Tensor) and value.array


def is_real_array(value: Value) -> bool:
    """Return whether `value` certainly is an array of one dimension or more: numpy's numbers are like Python's."""
    return isinstance(value, Tensor) and value.array and bool(value.shape)


def take_for_array(machine: Machine, value: Value) -> None:
    """Let an assumed tensor be an array, with what it is a view of, in a memory that no op has saved."""
    tensor = value.tensor if isinstance(value, Unknown) else value
    if isinstance(tensor, Tensor) and _is_assumed(tensor.base or tensor):
        _make_array_of(machine, tensor)


def take_for_array_or_raise(machine: Machine, tensor: Tensor) -> None:
    """Let an assumed tensor, or elements of one, be an array, since only arrays take what it is given; raise torch's
    TypeError for a real tensor."""
    root = tensor.base or tensor
    if _is_assumed(root) or (root.node is not None and root.node.op in _CHOOSING and not root.requires_grad.always):
        _make_array_of(machine, tensor)
    if not tensor.array:
        raise Raised("TypeError", None)


_CHOOSING = frozenset(("index", "index_select", "masked_select"))
"""Ops by which the recorder takes elements that an index names: an array has that index, too."""


def _is_assumed(root: Tensor) -> bool:
    return root.assumed and root.node is None and not root.parameter


def _make_array_of(machine: Machine, tensor: Tensor) -> None:
    """Make an array of a tensor and of what it is a view of."""
    storage = Storage(machine.recorder.new_id())
    part: Tensor | None = tensor
    while part is not None and not part.array:
        part.storage = storage
        part.array, part.alias, part.requires_grad = True, "numpy", NEVER
        part.node, part.base, part.view, part.leaf = None, None, ViewKind.NONE, True
        part = part.taken_from


def find_arrays(values: Iterable[Value]) -> list[Tensor]:
    """Return the arrays among `values` and in their lists."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Items):
            found += find_arrays(value.items)
        elif isinstance(value, Tensor) and value.array:
            found.append(value)
    return found


def read_element_type(dtype: Value, default: str = DOUBLE) -> str:
    """Return the element type that a `dtype` argument asks for; `default` if it is not given."""
    if is_none(dtype):
        return default
    if isinstance(dtype, Library):
        name = dtype.name.rpartition(".")[2]
    else:
        name = dtype.value if isinstance(dtype, Known) and isinstance(dtype.value, str) else ""
    if name in _FLOATS:
        return "float"
    if name in _BOOLS:
        return "bool"
    return "int" if name in _INTEGERS or "int" in name else DOUBLE


def read_shape(size: Value) -> tuple[int | None, ...] | None:
    """Return the extents in the `shape` or `size` of an array; None if their number is not known."""
    if isinstance(size, (Known, Number)):
        return read_extents(Items("tuple", [size]))
    return read_extents(size)


def join_types(operands: Iterable[Value]) -> str:
    """Return the element type of what is computed from arrays and numbers: that of the arrays, unless floats widen
    it."""
    operands = list(operands)
    types = {array.dtype for array in find_arrays(operands)}
    joined = types.pop() if len(types) == 1 else DOUBLE
    narrow = joined == "float" or not any(_may_be_float(value) for value in operands)
    return joined if narrow else DOUBLE


def _may_be_float(value: Value) -> bool:
    return isinstance(value, (Number, Unknown)) or (isinstance(value, Known) and isinstance(value.value, float))
