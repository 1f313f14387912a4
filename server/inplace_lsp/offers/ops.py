"""Which ops may write in place at all, and which make a tensor that nobody keeps: read off the op table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.table import find_module, find_overloads

KEEPING_DTYPE = frozenset(
    "relu leaky_relu elu selu celu sigmoid tanh neg dropout dropout1d dropout2d dropout3d".split()
)
"""Ops whose result has the shape and the element type of a float operand, also under autocast, which makes some others
(exp, log, softmax) compute with 32 bits."""
KEEPING_INTEGERS = frozenset({"relu", "neg"})
"""Those of which this holds for every element type."""
SIGNED = {"leaky_relu": "negative_slope", "elu": "alpha", "celu": "alpha"}
"""The argument that must not be negative for the op in place: its backward would need the input."""
NOISE = frozenset({"torch.rand_like", "torch.randn_like"})
LINEAR = frozenset({"torch.nn.Linear", "torch.nn.functional.linear"})
"""What gives a view if it has a bias and is given more than two dimensions: a product of matrices, put in shape."""
ON_CPU = "it runs on the CPU: on a GPU dropout keeps a mask of one byte an element, and in place its noise as floats"
OF_MATRICES = (
    "`linear` is given two dimensions: of more it makes a view, and backward through a write to a view copies more "
    "than the write saves"
)

RATE = "p"
"""The argument by which an op may do nothing: a dropout of 0 gives back what it was given."""

FUNCTIONAL = "torch.nn.functional"
_LAYERS = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Linear Bilinear Embedding Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d "
        "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm"
    ).split()
)
"""Layers that compute a new tensor of floats, whatever they are given."""
_OF_FLOATS = frozenset(
    {
        *(f"{FUNCTIONAL}.{name}" for name in "linear bilinear batch_norm layer_norm group_norm".split()),
        *(f"{FUNCTIONAL}.conv{dimensions}d" for dimensions in (1, 2, 3)),
        *(f"torch.{name}" for name in "conv1d conv2d conv3d randn rand".split()),
    }
)  # fmt: skip
KEEPING_FLOATS = frozenset("matmul mm bmm add sub mul div masked_fill clone".split())
"""Functions and methods that compute a new tensor, of floats if the first argument holds any."""
_OF_ANYTHING = frozenset(
    {*(f"torch.{name}" for name in "addmm baddbmm cat stack zeros ones full".split())}
    | {f"torch.{name}" for name in KEEPING_FLOATS}
)


@lru_cache(maxsize=256)
def saves_no_more_in_place(name: str, in_place: str = "") -> bool:
    """Return whether the op with that name has a form in place (by `inplace=True`, or under the name `in_place`) that
    keeps its result at most, or what the op keeps anyway.

    A form in place that keeps something of its own (a clone of what it overwrites) saves nothing.
    """
    found = find_overloads(name)
    writing = [form for form in find_overloads(in_place) if not form.given] if in_place else _taking(found, wanted=True)
    plain = [form for form in _taking(found, wanted=False) if "out" not in form.writes]
    return bool(writing and plain) and all(any(_keeps_no_more(form, other) for other in plain) for form in writing)


def _taking(overloads: Iterable[Overload], *, wanted: bool) -> list[Overload]:
    """Return the overloads with or without `inplace=True` that compute something."""
    return [form for form in overloads if form.differentiable and (("inplace", True) in form.given) is wanted
            and (bool(form.writes) or not wanted) and not form.given[1:]]  # fmt: skip


def _keeps_no_more(writing: Overload, plain: Overload) -> bool:
    kept = {save.role for save in writing.saves}
    if not kept <= {"result", *(save.role for save in plain.saves)}:
        return False
    is_private = writing.saves_something and not kept
    return not is_private or (plain.saves_something and not plain.saves)


def keeps_input(name: str) -> bool:
    """Return whether the op, out of place, keeps what it was given until backward."""
    return any(
        save.role in ("input", "self") for form in _taking(find_overloads(name), wanted=False) for save in form.saves
    )


def is_fresh_layer(name: str) -> bool:
    """Return whether a layer of that class gives a new tensor that nobody keeps."""
    module = find_module(name) if name in _LAYERS else None
    return module is not None and (_is_kept_by_nobody(module.call) if module.call else True)


def is_fresh_function(name: str) -> bool:
    """Return whether a function of that name returns a new tensor that nobody keeps."""
    return name in _OF_FLOATS | _OF_ANYTHING and _is_kept_by_nobody(name)


def is_fresh_method(method: str) -> bool:
    """Return whether a method of tensors returns a new tensor that nobody keeps."""
    return method in KEEPING_FLOATS and _is_kept_by_nobody(f"torch.Tensor.{method}")


@lru_cache(maxsize=256)
def gives_view(method: str) -> bool:
    """Return whether a method of tensors gives a view, or a copy, and so the same element type."""
    forms = find_overloads(f"torch.Tensor.{method}")
    return bool(forms) and all(
        form.aliases and {alias.kind for alias in form.aliases} <= {"view", "maybe"} for form in forms
    )


def gives_floats(name: str) -> bool:
    """Return whether what a function of that name returns certainly holds floats."""
    return name in _OF_FLOATS


@lru_cache(maxsize=256)
def _is_kept_by_nobody(name: str) -> bool:
    """Return whether no form of an op keeps its result, or returns what it was given."""
    forms = [form for form in find_overloads(name) if "out" not in form.writes]
    return all(
        not form.aliases and all(save.role not in ("result", "result0") for save in form.saves) for form in forms
    )


@lru_cache(maxsize=256)
def only_looks(method: str) -> bool:
    """Return whether a method of tensors computes a new value from its tensor and keeps nothing of it."""
    return method in _ASKS or looks_at_argument(f"torch.Tensor.{method}", 0)


@lru_cache(maxsize=256)
def looks_at_argument(name: str, at: int, count: int = 1) -> bool:
    """Return whether the function with that name, given `count` arguments, keeps nothing of the tensor that is its
    argument `at`: it returns new memory, and saves neither that tensor nor anything unknown."""
    forms = [form for form in find_overloads(name) if "out" not in form.writes and ("inplace", True) not in form.given]
    if any(param.name == "inplace" for form in forms for param in form.params[:count]):
        return False
    return bool(forms) and all(_makes_one_tensor(form) and not _may_save(form, at) for form in forms)


def _makes_one_tensor(form: Overload) -> bool:
    return not form.aliases and not form.writes and form.returns == 1


def _may_save(form: Overload, at: int) -> bool:
    if at >= len(form.params) or form.params[at].variadic:
        return True
    return any(save.role == form.params[at].name for save in form.saves) or (form.saves_something and not form.saves)


_ASKS = frozenset(
    "size dim ndimension numel nelement stride item is_floating_point get_device element_size is_contiguous".split()
)
"""Methods that describe a tensor, as DESCRIPTIONS do."""
DESCRIPTIONS = frozenset({"shape", "ndim", "dtype", "device", "requires_grad", "is_cuda", "layout"})
"""Attributes that describe a tensor."""
