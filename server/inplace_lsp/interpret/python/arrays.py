"""The functions of numpy: arrays with memory of their own or of others, and what is written into them."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import Intrinsic, intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Number, Tensor, Unknown, Value, is_none, is_true
from inplace_lsp.interpret.torch_api.array_methods import write_out
from inplace_lsp.interpret.torch_api.new_arrays import (
    DOUBLE,
    find_arrays,
    join_types,
    new_array,
    read_element_type,
    read_shape,
    reshape_array,
    view_array,
)
from inplace_lsp.interpret.torch_api.tensor_methods import call_tensor_method

_FORM = "how its elements are laid out says nothing of who shares its memory"
_CONTENT = "what is in an array carries no graph"


@intrinsic(
    "numpy.asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
    "numpy.asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
    **dict.fromkeys("order device like".split(), _FORM),
)
def _share_memory(machine: Machine, a: Value, dtype: Value, text: str, copy: Value = NONE) -> Value:
    """Return an array over the memory of a tensor or array, a copy if its elements are of another type."""
    if not isinstance(a, Tensor):
        return _copy_array(machine, a, dtype)
    if is_true(copy) or read_element_type(dtype, a.dtype) != a.dtype:
        return new_array(machine, read_element_type(dtype, a.dtype), a.shape)
    return machine.recorder.new_alias(a, ".numpy()", shares_counter=a.array, array=True)


@intrinsic("numpy.ascontiguousarray(a, dtype=None, *, like=None)", like=_FORM)
def _share_in_order(machine: Machine, a: Value, dtype: Value, text: str) -> Value:
    """Return an array over the same memory, a copy if its elements do not lie in order."""
    out_of_order = Known(isinstance(a, Tensor) and not a.contiguous)
    return _share_memory(machine, a, dtype, text, copy=out_of_order)


@intrinsic("numpy.from_dlpack(x, /, *, device=None, copy=None)", device=_FORM)
def _from_dlpack(machine: Machine, x: Value, copy: Value, text: str) -> Value:
    return _share_memory(machine, x, NONE, text, copy)


@intrinsic(
    "numpy.ravel(a, order='C')",
    "numpy.reshape(a, /, shape, order='C', *, copy=None)",
    **dict.fromkeys("shape order copy".split(), _FORM),
)
def _reshape(machine: Machine, a: Value, text: str) -> Value:
    """Return an array of the same elements in other extents."""
    array = _find_array(machine, a, text)
    return reshape_array(machine, array) if isinstance(array, Tensor) else array


@intrinsic("numpy.squeeze(a, axis=None)", "numpy.expand_dims(a, axis)", axis=_FORM)
def _view_in_order(machine: Machine, a: Value, text: str) -> Value:
    """Return an array of the same elements in the same order, on the same memory."""
    array = _find_array(machine, a, text)
    return view_array(machine, array, contiguous=True) if isinstance(array, Tensor) else array


@intrinsic(
    "numpy.transpose(a, axes=None)",
    "numpy.swapaxes(a, axis1, axis2)",
    "numpy.moveaxis(a, source, destination)",
    "numpy.broadcast_to(array, shape, subok=False)",
    "numpy.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)",
    "numpy.lib.stride_tricks.as_strided(x, shape=None, strides=None, subok=False, writeable=True)",
    "numpy.flip(m, axis=None)",
    "numpy.fliplr(m)",
    "numpy.flipud(m)",
    "numpy.rot90(m, k=1, axes=(0, 1))",
    **dict.fromkeys(
        "axes axis1 axis2 source destination shape subok axis k window_shape strides writeable".split(), _FORM
    ),
)
def _view_in_another_order(machine: Machine, text: str, **viewed: Value) -> Value:
    """Return an array of the same elements in another order, on the same memory."""
    array = _find_array(machine, next(iter(viewed.values())), text)
    return view_array(machine, array, contiguous=False) if isinstance(array, Tensor) else array


def _find_array(machine: Machine, of: Value, text: str) -> Value:
    """Return the array that numpy takes for a tensor or an array; an unknown value for anything else."""
    return _share_memory(machine, of, NONE, text) if isinstance(of, Tensor) else _unknown_array(machine, text)


def _unknown_array(machine: Machine, text: str) -> Value:
    result = machine.make_unknown(text)
    result.graphless = True
    return result


@intrinsic(
    "numpy.copyto(dst, src, casting='same_kind', where=True)",
    src=_FORM,
    casting=_FORM,
    where=_FORM,
)
def _copy_into_array(machine: Machine, dst: Value) -> Value:
    return _write_array(machine, dst, "copyto")


@intrinsic("numpy.put(a, ind, v, mode='raise')", ind=_FORM, v=_FORM, mode=_FORM)
def _put_elements(machine: Machine, a: Value) -> Value:
    return _write_array(machine, a, "put")


@intrinsic("numpy.putmask(a, /, mask, values)", mask=_FORM, values=_FORM)
def _put_masked_elements(machine: Machine, a: Value) -> Value:
    return _write_array(machine, a, "putmask")


@intrinsic("numpy.place(arr, mask, vals)", mask=_FORM, vals=_FORM)
def _place_elements(machine: Machine, arr: Value) -> Value:
    return _write_array(machine, arr, "place")


@intrinsic("numpy.fill_diagonal(a, val, wrap=False)", val=_FORM, wrap=_FORM)
def _fill_diagonal(machine: Machine, a: Value) -> Value:
    return _write_array(machine, a, "fill_diagonal")


@intrinsic(
    *(f"numpy.{name}.at(a, indices, b=None, /)" for name in ("add", "subtract", "multiply", "maximum", "minimum")),
    indices=_FORM,
    b=_FORM,
)
def _update_at(machine: Machine, a: Value) -> Value:
    return _write_array(machine, a, "ufunc.at")


@intrinsic("numpy.random.shuffle(x)")
def _shuffle(machine: Machine, x: Value) -> Value:
    return _write_array(machine, x, "random.shuffle")


def _write_array(machine: Machine, target: Value, name: str) -> Value:
    if isinstance(target, Tensor) and target.array:
        machine.recorder.write_tensor(target, f"numpy.{name}")
    return NONE


@intrinsic(
    *(f"numpy.{name}(shape, dtype=None, order='C', *, device=None, like=None)" for name in ("zeros", "ones", "empty")),
    **dict.fromkeys("order device like".split(), _FORM),
)
def _make_array(machine: Machine, shape: Value, dtype: Value) -> Value:
    """Return a new array."""
    return new_array(machine, read_element_type(dtype), read_shape(shape))


@intrinsic(
    "numpy.full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
    **dict.fromkeys("order device like".split(), _FORM),
)
def _fill_array(machine: Machine, shape: Value, fill_value: Value, dtype: Value) -> Value:
    """Return a new array of the type of what fills it."""
    return new_array(machine, read_element_type(dtype, _type_of(fill_value)), read_shape(shape))


@intrinsic(
    *(
        f"numpy.{name}_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)"
        for name in ("zeros", "ones")
    ),
    "numpy.empty_like(prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    "numpy.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    **dict.fromkeys("order subok device fill_value".split(), _CONTENT),
)
def _make_array_like(machine: Machine, dtype: Value, shape: Value, a: Value = NONE, prototype: Value = NONE) -> Value:
    """Return a new array of the type and extents of another."""
    like = prototype if is_none(a) else a
    same, extents = (like.dtype, like.shape) if isinstance(like, Tensor) else (DOUBLE, None)
    return new_array(machine, read_element_type(dtype, same), extents if is_none(shape) else read_shape(shape))


@intrinsic(
    "numpy.array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)",
    **dict.fromkeys("copy order subok ndmin ndmax like".split(), _FORM),
)
def _copy_array(machine: Machine, object: Value, dtype: Value) -> Value:
    """Return a new array of what is in an array, a tensor or a list."""
    shape = object.shape if isinstance(object, Tensor) else _extents_of(object)
    return new_array(machine, read_element_type(dtype, _type_of(object)), shape)


def _type_of(content: Value) -> str:
    """Return the element type of an array of these numbers."""
    if isinstance(content, Tensor):
        return content.dtype
    if isinstance(content, Items):
        types = set(map(_type_of, content.items))
        return types.pop() if len(types) == 1 else DOUBLE
    if not isinstance(content, Known):
        return DOUBLE
    return {bool: "bool", int: "int"}.get(type(content.value), DOUBLE)


def _extents_of(content: Value) -> tuple[int | None, ...] | None:
    """Return the extents of an array of nested lists; None if their number is not known."""
    if isinstance(content, (Known, Number)):
        return ()
    if not isinstance(content, Items) or content.open or not content.items:
        return None
    inner = _extents_of(content.items[0])
    return (len(content.items), *inner) if inner is not None else None


@intrinsic(
    "numpy.fromfile(file, dtype=None, count=-1, sep='', offset=0, *, like=None)",
    "numpy.fromstring(string, dtype=None, count=-1, *, sep='', like=None)",
    "numpy.fromiter(iter, dtype, count=-1, *, like=None)",
    **dict.fromkeys("file string iter count sep offset like".split(), _CONTENT),
)
def _read_array(machine: Machine, dtype: Value) -> Value:
    """Return a new array of what stands in a file, a text or an iterator."""
    return new_array(machine, read_element_type(dtype), (None,))


@intrinsic(
    "numpy.arange(start_or_stop, /, stop=None, step=1, *, dtype=None, device=None, like=None)",
    **dict.fromkeys("device like".split(), _FORM),
)
def _count_up(machine: Machine, start_or_stop: Value, stop: Value, step: Value, dtype: Value) -> Value:
    """Return an array of numbers in steps: integers, if all three are."""
    types = {_type_of(value) for value in (start_or_stop, stop, step) if not is_none(value)}
    return new_array(machine, read_element_type(dtype, "int" if types == {"int"} else DOUBLE), (None,))


@intrinsic(
    "numpy.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
    "numpy.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
    "numpy.geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)",
    **dict.fromkeys("start stop num endpoint retstep base axis device".split(), _CONTENT),
)
def _divide_interval(machine: Machine, dtype: Value) -> Value:
    """Return an array of numbers between two."""
    return new_array(machine, read_element_type(dtype))


@intrinsic(
    "numpy.eye(N, M=None, k=0, dtype=..., order='C', *, device=None, like=None)",
    "numpy.identity(n, dtype=None, *, like=None)",
    **dict.fromkeys("N M k n order device like".split(), _CONTENT),
)
def _make_identity(machine: Machine, dtype: Value) -> Value:
    """Return a matrix with ones on its diagonal."""
    return new_array(machine, read_element_type(dtype), (None, None))


_UFUNC = "/, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None"
_OF_FLOATS = (
    "exp log sqrt tanh sin cos exp2 expm1 log1p log2 log10 tan arctan arcsin arccos sinh cosh reciprocal".split()
)
_DIVISIONS = "divide true_divide power arctan2 hypot logaddexp".split()


@intrinsic(
    *(f"numpy.{name}(x1, x2, {_UFUNC})" for name in "add subtract multiply floor_divide maximum minimum mod".split()),
    *(f"numpy.{name}(x, {_UFUNC})" for name in "negative square abs absolute sign floor ceil rint".split()),
    "numpy.clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **kwargs)",
    **dict.fromkeys("where casting order subok signature kwargs".split(), _CONTENT),
)
def _compute_elements(machine: Machine, out: Value, text: str, dtype: Value = NONE, **operands: Value) -> Value:
    """Return the result of an elementwise function: `out`, which it writes, or a new array if an operand is one."""
    return _compute_with_out(machine, out, list(operands.values()), dtype, text)


@intrinsic(
    *(f"numpy.{name}(x1, x2, {_UFUNC})" for name in _DIVISIONS),
    *(f"numpy.{name}(x, {_UFUNC})" for name in _OF_FLOATS),
    **dict.fromkeys("where casting order subok signature".split(), _CONTENT),
)
def _compute_floats(machine: Machine, out: Value, text: str, dtype: Value = NONE, **operands: Value) -> Value:
    """Return the same, of a function that makes floats of integers."""
    return _compute_with_out(machine, out, [*operands.values(), Known(0.5)], dtype, text)


def _compute_with_out(machine: Machine, out: Value, operands: list[Value], dtype: Value, text: str) -> Value:
    written = write_out(machine, out)
    if written is not None:
        return written
    arrays = find_arrays(operands)
    if not arrays:
        return _unknown_array(machine, text)
    return new_array(
        machine, read_element_type(dtype, join_types(operands)), arrays[0].shape if not arrays[1:] else None
    )


@intrinsic(
    "numpy.concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')",
    "numpy.stack(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')",
    "numpy.vstack(tup, *, dtype=None, casting='same_kind')",
    "numpy.hstack(tup, *, dtype=None, casting='same_kind')",
    "numpy.dstack(tup)",
    "numpy.column_stack(tup)",
    "numpy.append(arr, values, axis=None)",
    **dict.fromkeys("axis casting".split(), _FORM),
)
def _join_arrays(machine: Machine, out: Value = NONE, dtype: Value = NONE, **joined: Value) -> Value:
    """Return a new array of the elements of several, or `out`, written."""
    return write_out(machine, out) or new_array(machine, read_element_type(dtype, join_types(joined.values())))


@intrinsic(
    "numpy.copy(a, order='K', subok=False)",
    "numpy.sort(a, axis=-1, kind=None, order=None, *, stable=None)",
    "numpy.roll(a, shift, axis=None)",
    "numpy.repeat(a, repeats, axis=None)",
    "numpy.tile(A, reps)",
    "numpy.pad(array, pad_width, mode='constant', **kwargs)",
    "numpy.tril(m, k=0)",
    "numpy.triu(m, k=0)",
    **dict.fromkeys("order subok axis kind stable shift repeats reps pad_width mode kwargs k".split(), _FORM),
)
def _rearrange_array(machine: Machine, text: str, **given: Value) -> Value:
    """Return a new array of elements of the first argument."""
    return (
        new_array(machine, join_types(given.values())) if find_arrays(given.values()) else _unknown_array(machine, text)
    )


@intrinsic("numpy.where(condition, x=None, y=None, /)", condition=_CONTENT)
def _choose_elements(machine: Machine, x: Value, y: Value) -> Value:
    """Return a new array of elements of two; with the condition alone, the places where it holds."""
    if is_none(x):
        return _list_places(machine)
    return new_array(machine, join_types([x, y]))


@intrinsic("numpy.float32(value=0, /)", "numpy.single(value=0, /)")
def _make_single(machine: Machine, value: Value, text: str) -> Value:
    """Return an array of float32, a number of a number."""
    return new_array(machine, "float", value.shape) if isinstance(value, Tensor) else _unknown_array(machine, text)


@intrinsic(
    "numpy.argsort(a, axis=-1, kind=None, order=None, *, stable=None)",
    "numpy.flatnonzero(a)",
    "numpy.argwhere(a)",
    **dict.fromkeys("a axis kind order stable".split(), _FORM),
)
def _find_places(machine: Machine) -> Value:
    """Return a new array of the places of elements."""
    return new_array(machine, "int", (None,))


@intrinsic("numpy.nonzero(a)")
def _find_places_in_each_dimension(machine: Machine, a: Value) -> Value:
    """Return an array of places for each dimension; of a tensor, whose own method numpy calls, one tensor of all."""
    tensor = a.tensor if isinstance(a, Unknown) else a
    if isinstance(tensor, Tensor) and not tensor.array:
        return call_tensor_method(machine, tensor, "nonzero", [], {})
    return _list_places(machine)


def _list_places(machine: Machine) -> Items:
    return Items("tuple", [], open=True, more=lambda: new_array(machine, "int", (None,)))


_DRAWS = ("random", "random_sample", "ranf", "sample", "standard_normal")
_SIZED = "what is drawn carries no graph"


@intrinsic("numpy.random.rand(*args)", "numpy.random.randn(*args)")
def _draw_of_extents(machine: Machine, args: Items) -> Value:
    """Return a new array of the extents that are given one by one; a number without any."""
    return Number() if not args.items and not args.open else new_array(machine, DOUBLE, read_shape(args))


@intrinsic(
    *(f"numpy.random.{name}(size=None)" for name in _DRAWS),
    "numpy.random.normal(loc=0.0, scale=1.0, size=None)",
    "numpy.random.uniform(low=0.0, high=1.0, size=None)",
    "numpy.random.laplace(loc=0.0, scale=1.0, size=None)",
    "numpy.random.exponential(scale=1.0, size=None)",
    "numpy.random.gamma(shape, scale=1.0, size=None)",
    "numpy.random.beta(a, b, size=None)",
)
def _draw_floats(machine: Machine, size: Value, **law: Value) -> Value:
    """Return a new array of floats; a number without a size and with numbers alone."""
    return _draw_numbers(machine, size, DOUBLE, law)


@intrinsic("numpy.random.randint(low, high=None, size=None, dtype=...)", dtype=_SIZED)
@intrinsic("numpy.random.poisson(lam=1.0, size=None)")
@intrinsic("numpy.random.binomial(n, p, size=None)")
def _draw_integers(machine: Machine, size: Value, **law: Value) -> Value:
    """Return a new array of integers; a number without a size and with numbers alone."""
    return _draw_numbers(machine, size, "int", law)


def _draw_numbers(machine: Machine, size: Value, dtype: str, law: dict[str, Value]) -> Value:
    if is_none(size) and not find_arrays(law.values()):
        return Number()
    return new_array(machine, dtype, read_shape(size))


@intrinsic("numpy.random.choice(a, size=None, replace=True, p=None)", replace=_SIZED, p=_SIZED)
def _choose(machine: Machine, a: Value, size: Value, text: str) -> Value:
    """Return a new array of elements of `a`, or of the numbers below it; without a size, an unknown element."""
    if is_none(size):
        return _unknown_array(machine, text)
    return new_array(machine, "int" if isinstance(a, (Known, Number)) else _type_of(a), read_shape(size))


@intrinsic("numpy.random.permutation(x)")
def _permute(machine: Machine, x: Value) -> Value:
    """Return the rows of an array in another order, or the numbers below a number: a new array."""
    if isinstance(x, Tensor):
        return new_array(machine, x.dtype, x.shape)
    return new_array(machine, "int", (None,)) if isinstance(x, (Known, Number)) else new_array(machine)


def _compute_somehow(machine: Machine, out: Value, text: str) -> Value:
    return write_out(machine, out) or _unknown_array(machine, text)


ANY_FUNCTION = Intrinsic(
    "numpy.function(*arguments, out=None, **options)",
    _compute_somehow,
    dict.fromkeys(("arguments", "options"), _CONTENT),
    wants_text=True,
)
"""Used for every numpy function without a declaration of its own."""
