"""Stand in for numpy, where it is not installed, with `torch._numpy`, which compiled code uses.

Arrays are kept apart from tensors as numpy keeps them: an array has no graph, and a tensor over its memory has a
version counter of its own. Results without dimensions are plain numbers.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from types import ModuleType, SimpleNamespace

import torch

_OPERATORS = [
    *(f"{side}{word}" for word in "add sub mul truediv floordiv mod pow".split() for side in ("", "r")),
    *"matmul lt le gt ge eq ne".split(),
]


class Number(float):
    """A number as numpy returns it: with some methods of arrays."""

    shape: tuple[int, ...] = ()
    ndim = 0

    def item(self) -> float:
        """Return the plain number."""
        return float(self)

    tolist = item

    def astype(self, _kind: object) -> Number:
        """Return the number itself."""
        return self


class Whole(int):
    """A whole number as numpy returns it."""

    shape: tuple[int, ...] = ()
    ndim = 0

    def item(self) -> int:
        """Return the plain number."""
        return int(self)

    tolist = item

    def astype(self, kind: object) -> object:
        """Return the number, as one with a fraction if asked for."""
        return Number(self) if "float" in str(kind) else self


def find_member(name: str, lacking: Callable[..., object]) -> object:
    """Return what numpy has under a full name, as `numpy.random.rand`. Raises AttributeError.

    A function hands on to `lacking` the calls for which torch's arrays are not made: they hold numbers only.
    """
    if name in _OLD_TYPES:
        return _OLD_TYPES[name]
    own = _OWN.get(name)
    if own is not None:
        return _hand_on(own, lacking)
    found: object = _load_arrays()
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    if isinstance(found, ModuleType):
        raise AttributeError(name)  # what it lacks is to be found missing
    return _hand_on(_guard(found), lacking) if _is_plain_function(found) else _to_numbers(found)


def array_over(tensor: torch.Tensor) -> object:
    """Return an array over the memory of a tensor: numpy's, or torch's own where that is not installed."""
    if importlib.util.find_spec("numpy") is None or are_in_use():
        _load_arrays()
    return tensor.numpy()


def tensor_over(array: object) -> torch.Tensor:
    """Return a tensor over the memory of an array of either kind."""
    return _tensor_of(array) if hasattr(array, "tensor") else torch.as_tensor(array)


def are_in_use() -> bool:
    """Return whether arrays are torch's own, so that torch itself sees whatever is written to them."""
    return bool(_load_arrays.cache_info().currsize)


def _is_plain_function(found: object) -> bool:
    return callable(found) and not isinstance(found, type)


@cache
def _load_arrays() -> ModuleType:
    """Return torch's arrays, with numpy's rules for what goes between them and tensors. Raises AttributeError."""
    try:
        arrays = importlib.import_module("torch._numpy")
        rules = importlib.import_module("torch._numpy._normalizations")
        kinds = importlib.import_module("torch._numpy._dtypes_impl")
        array: type = arrays.ndarray
        plain = rules.wrap_tensors
        normalize = rules.maybe_normalize
        vars(kinds)["_default_dtypes"] = kinds.DefaultDTypes(torch.float64, torch.complex128, torch.int64)
        vars(_random())["use_numpy_random"] = lambda: False  # to ask torch's compiler takes seconds
    except (ImportError, AttributeError) as error:
        raise AttributeError("torch has no arrays of its own") from error
    vars(rules)["wrap_tensors"] = lambda result: _to_numbers(plain(result))
    vars(rules)["maybe_normalize"] = lambda given, known: normalize(_to_plain(given), known)
    _teach_arrays(array)
    _teach_tensors(array)
    return arrays


@cache
def _random() -> ModuleType:
    return importlib.import_module("torch._numpy.random")


def _teach_arrays(array: type) -> None:
    """Let arrays give numbers for single elements, be formatted, and be operands beside tensors."""
    get: Callable[..., object] = array.__dict__["__getitem__"]

    def get_item(self: object, index: object) -> object:
        return _to_numbers(get(self, index))

    def iterate(self: Sequence[object]) -> Iterator[object]:
        return (self[at] for at in range(len(self)))

    members = {
        "__getitem__": get_item,
        "__iter__": iterate,
        "__format__": lambda self, how: format(_number_in(self), how) if how else str(self),
        "__round__": lambda self, digits=None: round(_number_in(self), digits),
        **{f"__{word}__": _beside_tensors(array.__dict__[f"__{word}__"], word) for word in _OPERATORS},
    }
    for name, member in members.items():
        setattr(array, name, member)


def _beside_tensors(apply: Callable[..., object], word: str) -> Callable[..., object]:
    """Return an operator of arrays that leaves it to torch where the other operand is a tensor."""

    def applied(self: object, other: object) -> object:
        if isinstance(other, torch.Tensor):
            return getattr(torch.as_tensor(_to_operand(self)), f"__{word}__")(other)
        return _to_numbers(apply(self, _to_plain(other)))

    return applied


def _teach_tensors(array: type) -> None:
    """Let torch make tensors over arrays, and arrays over tensors."""

    def to_array(self: torch.Tensor, *, force: bool = False) -> object:
        """Return an array over the memory of a tensor."""
        if force:
            self = self.detach().cpu()
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return array(self.data)

    def over_array(given: object) -> torch.Tensor:
        """Return a tensor over the memory of an array."""
        if not isinstance(given, array):
            raise TypeError(f"expected np.ndarray (got {type(given).__name__})")
        return _tensor_of(given).data

    def copy_of(make: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
        @wraps(make)
        def made(data: object, *args: object, **named: object) -> torch.Tensor:
            return make(_to_lists(data), *args, **named)

        return made

    vars(torch).update(from_numpy=over_array, tensor=copy_of(torch.tensor))
    torch.Tensor.numpy = to_array


def _guard(function: object) -> Callable[..., object]:
    """Return a function of numpy as it takes tensors: as the arrays over them."""
    assert callable(function)

    @wraps(function)
    def guarded(*args: object, **named: object) -> object:
        return _to_numbers(function(*map(_to_array, args), **{name: _to_array(value) for name, value in named.items()}))

    return guarded


def _hand_on(function: Callable[..., object], lacking: Callable[..., object]) -> object:
    """Return a function that leaves to `lacking` what torch's arrays are not made for, as texts."""

    @wraps(function)
    def handing_on(*args: object, **named: object) -> object:
        if named.get("dtype") in (str, object):
            return lacking(*args, **named)
        try:
            return function(*args, **named)
        except NotImplementedError:
            return lacking(*args, **named)

    return handing_on


def _to_plain(given: object) -> object:
    """Return the plain number for one of numpy's: torch looks up what a number is by its very type."""
    return given.item() if isinstance(given, (Number, Whole)) else given


def _to_array(given: object) -> object:
    if isinstance(given, torch.Tensor):
        return given.numpy()
    if hasattr(given, "__array__") and not _is_array(given):
        return given.__array__()
    if type(given) in (list, tuple) and any(isinstance(part, torch.Tensor) for part in given):  # type: ignore[attr-defined]
        parts = map(_to_array, given)  # type: ignore[call-overload]
        return tuple(parts) if type(given) is tuple else list(parts)
    return given


def _tensor_of(array: object) -> torch.Tensor:
    found: torch.Tensor = getattr(array, "tensor")  # noqa: B009
    return found


def _is_array(value: object) -> bool:
    return isinstance(value, _load_arrays().ndarray)


def _to_operand(array: object) -> object:
    """Return torch's operand for an array: a plain number if it has no dimensions."""
    tensor = _tensor_of(array)
    return tensor if tensor.dim() else tensor.item()


def _to_lists(given: object) -> object:
    """Return lists of numbers in place of arrays, except for a whole one."""
    if _is_array(given):
        return _tensor_of(given)
    if type(given) in (list, tuple):
        return [_tensor_of(part).tolist() if _is_array(part) else _to_lists(part) for part in given]  # type: ignore[attr-defined]
    return given


def _number_in(array: object) -> float:
    return float(_tensor_of(array).item())


def _to_numbers(result: object) -> object:
    """Return a plain number for an array without dimensions."""
    if not _is_array(result) or _tensor_of(result).dim():
        return result
    value = _tensor_of(result).item()
    if isinstance(value, (bool, complex)):
        return value
    return Whole(value) if isinstance(value, int) else Number(value)


def _permutation(given: object) -> object:
    """Return the elements, or as many whole numbers, in random order."""
    arrays = _load_arrays()
    elements = arrays.arange(given) if isinstance(given, int) else arrays.asarray(given)
    return elements[arrays.asarray(random.sample(range(len(elements)), len(elements)))]


def _shuffle(given: object) -> None:
    """Bring the elements into random order."""
    if isinstance(given, list):
        random.shuffle(given)
    else:
        given[:] = _permutation(given)  # type: ignore[index]


def _choice(given: object, size: object = None, replace: bool = True, p: object = None) -> object:
    """Return one element, or several of them."""
    if size is not None:
        return _random().choice(given, size, replace, p)
    return _to_numbers(_random().choice(given, 1, replace, p)[0])


def _limits(kind: object) -> SimpleNamespace:
    """Return the limits of a type, as numbers of numpy's."""
    found = _load_arrays().finfo(kind)
    return SimpleNamespace(**{name: Number(getattr(found, name)) for name in ("eps", "max", "min", "tiny")})


_OWN: dict[str, Callable[..., object]] = {
    "numpy.finfo": _limits,
    "numpy.random.permutation": _permutation,
    "numpy.random.shuffle": _shuffle,
    "numpy.random.choice": _choice,
}
"""Functions that torch's arrays lack, or have in part."""
_OLD_TYPES: dict[str, type] = {f"numpy.{kind.__name__}": kind for kind in (bool, int, float, complex, object, str)}
"""Names that numpy had for types of Python until its version 1.24."""
