"""Model numpy: arrays that share memory with tensors, and the functions that write them."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import Intrinsic, intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Tensor, Value

_FORM = "how its elements are laid out says nothing of who shares its memory"


@intrinsic(
    "numpy.asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
    "numpy.asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
    "numpy.ascontiguousarray(a, dtype=None, *, like=None)",
    "numpy.ravel(a, order='C')",
    "numpy.reshape(a, /, shape, order='C', *, copy=None)",
    "numpy.transpose(a, axes=None)",
    "numpy.squeeze(a, axis=None)",
    **dict.fromkeys("dtype order device copy like shape axes axis".split(), _FORM),
)
def _share_memory(machine: Machine, a: Value, text: str) -> Value:
    """Return an array over the memory of a tensor or array."""
    if isinstance(a, Tensor):
        return machine.recorder.new_alias(a, ".numpy()", shares_counter=a.array, array=True)
    return _unknown_array(machine, text)


@intrinsic("numpy.from_dlpack(x, /, *, device=None, copy=None)", device=_FORM, copy=_FORM)
def _from_dlpack(machine: Machine, x: Value, text: str) -> Value:
    return _share_memory(machine, x, text)


def _unknown_array(machine: Machine, text: str) -> Value:
    result = machine.unknown(text)
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


def _write_array(machine: Machine, target: Value, name: str) -> Value:
    if isinstance(target, Tensor) and target.array:
        machine.recorder.write(target, f"numpy.{name}")
    return NONE


@intrinsic(
    *(f"numpy.{name}(shape, dtype=None, order='C', *, device=None, like=None)" for name in ("zeros", "ones", "empty")),
    *(
        f"numpy.{name}_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)"
        for name in ("zeros", "ones")
    ),
    "numpy.empty_like(prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    "numpy.full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
    "numpy.array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)",
    "numpy.arange(start_or_stop, /, stop=None, step=1, *, dtype=None, device=None, like=None)",
    "numpy.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
    "numpy.eye(N, M=None, k=0, dtype=None, order='C', *, device=None, like=None)",
    **dict.fromkeys(
        "shape a prototype fill_value object start_or_stop start stop step num endpoint retstep axis N M k dtype order "
        "device like subok copy ndmin ndmax".split(),
        "what is in a new array carries no graph",
    ),
)
def _make_array(machine: Machine) -> Value:
    made = machine.recorder.new_tensor("numpy array")
    made.array, made.alias = True, "numpy"
    return made


_UFUNC = "/, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None"


@intrinsic(
    *(
        f"numpy.{name}(x1, x2, {_UFUNC})"
        for name in "add subtract multiply divide true_divide floor_divide power maximum minimum".split()
    ),
    *(f"numpy.{name}(x, {_UFUNC})" for name in "negative exp log sqrt square abs absolute tanh sin cos sign".split()),
    "numpy.clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **kwargs)",
    **dict.fromkeys(
        "x x1 x2 a a_min a_max min max where casting order dtype subok signature kwargs".split(),
        "what is computed by numpy carries no graph",
    ),
)
def _compute_array(machine: Machine, out: Value, text: str) -> Value:
    if isinstance(out, Tensor) and out.array:
        _write_array(machine, out, "out")
        return out
    return _unknown_array(machine, text)


ANY_FUNCTION = Intrinsic(
    "numpy.function(*arguments, out=None, **options)",
    _compute_array,
    dict.fromkeys(("arguments", "options"), "what is computed by numpy carries no graph"),
    wants_text=True,
)
"""Used for every numpy function without a declaration of its own."""
