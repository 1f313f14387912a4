"""What an op makes of the shapes of its operands. Only where all extents are known; None is always a right answer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state.layout import Layout
from inplace_lsp.interpret.state.values import NONE, Items, Known, Tensor, Value, is_none, is_true

Bound = Mapping[str, Value]

_BROADCAST = frozenset(
    "add sub mul div rsub true_divide pow maximum minimum fmax fmin atan2 arctan2 hypot logaddexp logaddexp2 xlogy "
    "remainder fmod floor_divide where addcmul addcdiv lerp eq ne lt le gt ge logical_and logical_or logical_xor "
    "bitwise_and bitwise_or bitwise_xor multiply subtract divide copysign nextafter heaviside".split()
)  # fmt: skip
_AS_FIRST = frozenset(
    "abs neg exp exp2 expm1 log log1p log2 log10 sqrt rsqrt reciprocal square sin cos tan tanh sigmoid sinh cosh asinh "
    "atan asin acos atanh erf erfc erfinv sign sgn floor ceil round trunc frac relu nan_to_num clone deg2rad rad2deg "
    "logit relu6 gelu silu elu selu celu leaky_relu rrelu softplus hardtanh mish logsigmoid log_sigmoid softsign "
    "tanhshrink hardswish hardsigmoid softshrink hardshrink threshold dropout alpha_dropout clamp clamp_min clamp_max "
    "clip masked_fill softmax log_softmax softmin cumsum cumprod logcumsumexp normalize flip roll tril triu layer_norm "
    "rms_norm prelu "
    "batch_norm instance_norm group_norm renorm sort cummax cummin index_add index_copy index_fill scatter "
    "scatter_add masked_scatter zeros_like ones_like empty_like rand_like randn_like full_like logical_not bitwise_not "
    "isnan isinf isfinite float double half to type contiguous native_dropout feature_dropout positive absolute angle "
    "arctan arcsinh arccosh arctanh arcsin arccos acosh conj_physical digamma lgamma polygamma mvlgamma fix i0 "
    "negative sinc fliplr flipud msort signbit heaviside".split()
)  # fmt: skip
_REDUCTIONS = frozenset(
    "sum mean prod max min amax amin norm std var median logsumexp all any argmax argmin nansum nanmean "
    "count_nonzero".split()
)
_LOSSES = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div "
    "cross_entropy nll_loss".split()
)
_COLUMN_MAJOR = frozenset({"linalg_inv", "inverse", "linalg_solve"})
_ADDED_PRODUCTS = frozenset({"addmm", "addmv", "baddbmm", "addr"})
_ROW_MAJOR = frozenset(
    "softmax log_softmax softmin layer_norm cumsum cumprod cummax cummin logcumsumexp batch_norm group_norm contiguous "
    "logsigmoid log_sigmoid renorm roll rrelu tril triu masked_fill masked_scatter scatter scatter_add index_add "
    "index_copy rms_norm instance_norm mvlgamma".split()
)


def give(tensor: Tensor, layout: Layout | None) -> None:
    """Tell `tensor` where its elements lie."""
    if layout is None:
        return
    tensor.layout = layout
    tensor.shape = layout.shape
    tensor.contiguous = layout.contiguous
    tensor.expanded = layout.expanded


def take(tensor: Tensor, shape: Sequence[int | None] | None) -> None:
    """Tell `tensor`, which has memory of its own, its shape as far as it is known."""
    tensor.shape = None if shape is None else tuple(shape)
    known = [size for size in shape or () if size is not None]
    if shape is not None and len(known) == len(shape):
        give(tensor, layouts.contiguous(known))


def of_view(op: str, of: Tensor, bound: Bound) -> Layout | None:
    """The layout of the view of `of` that `op` makes, None if it is not known."""
    rule = _VIEWS.get(op)
    if rule is None or of.layout is None:
        return None
    try:
        return rule(of.layout, bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return None


def of_copy(op: str, of: Tensor, bound: Bound) -> Layout | None:
    """The layout of the copy that `reshape` and the like make where no view is possible."""
    if op in ("reshape", "flatten", "ravel") and of.layout is not None:
        plain = _in_order(of)
        return of_view(op, plain, bound)
    return of_result(op, bound)


def _in_order(of: Tensor) -> Tensor:
    """`of` as if its elements lay in order."""
    return replace(of, layout=layouts.contiguous(of.layout.shape)) if of.layout is not None else of


def rearrange(tensor: Tensor, op: str, bound: Bound) -> None:
    """After a write: `unsqueeze_`, `t_`, `resize_` and the like change the shape of the tensor itself."""
    if op.removesuffix("_") in _VIEWS or op in ("resize_", "set_", "resize_as_", "as_strided_"):
        layout = of_view(op.removesuffix("_"), tensor, bound)
        tensor.shape, tensor.layout, tensor.contiguous = None, None, False
        give(tensor, layout)


def of_views(op: str, of: Tensor, bound: Bound) -> list[Layout] | None:
    """The layouts of the views that `op` makes at once."""
    if of.layout is None or not of.layout.shape:
        return None
    try:
        dim = of.layout.dimension(_number(bound, "dim", default=0))
        size = of.layout.shape[dim]
        if op == "unbind":
            return [layouts.selected(of.layout, dim, at) for at in range(size)]
        cuts = _cuts(op, size, bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return None
    if cuts is None:
        return None
    return [layouts.sliced(of.layout, dim, slice(start, stop)) for start, stop in itertools.pairwise(cuts)]


def of_one_among(op: str, operands: Sequence[Tensor], at: int) -> Layout | None:
    """The layout of the view of operand `at` that an op on several tensors makes."""
    known = [one.layout for one in operands if one.layout is not None]
    if len(known) != len(operands):
        return None
    if op == "broadcast_tensors":
        whole = _broadcast(known)
        return layouts.expanded(known[at], whole.shape) if whole is not None else None
    if op == "meshgrid" and all(len(one.shape) == 1 for one in known):
        line = layouts.reshaped(known[at], [-1 if d == at else 1 for d in range(len(known))])
        return layouts.expanded(line, [one.shape[0] for one in known]) if line is not None else None
    return None


def of_result(op: str, bound: Bound) -> Layout | None:
    """The layout of the new tensor that `op` makes, None if it is not known."""
    operands = [value for value in bound.values() if isinstance(value, Tensor)]
    try:
        if op in _BROADCAST:
            return _broadcast([t.layout for t in (operands[::-1] if op == "rsub" else operands)])
        if op in _COLUMN_MAJOR:
            return _column_major(operands[-1].layout) if operands else None
        if op in _AS_FIRST:
            return _alike(op, operands[0].layout) if operands else None
        shape = _shape(op, operands, bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return None
    return None if shape is None else layouts.contiguous(shape)


def _column_major(of: Layout | None) -> Layout | None:
    """Matrices laid out column by column, as LAPACK gives them."""
    if of is None or len(of.shape) < 2:
        return None
    return layouts.swapped(layouts.contiguous((*of.shape[:-2], of.shape[-1], of.shape[-2])), -1, -2)


def _alike(op: str, first: Layout | None) -> Layout | None:
    """New memory in the order of the operand's where that is dense, as TensorIterator lays it out."""
    if first is None:
        return None
    return layouts.contiguous(first.shape) if op in _ROW_MAJOR else layouts.packed(first)


def _broadcast(operands: Sequence[Layout | None]) -> Layout | None:
    known = [one for one in operands if one is not None]
    return layouts.combined(known) if known and len(known) == len(operands) else None


def _shape(op: str, operands: Sequence[Tensor], bound: Bound) -> tuple[int, ...] | None:
    if op in _LOSSES:
        reduction = bound.get("reduction")
        mean = reduction is None or (isinstance(reduction, Known) and reduction.value in ("mean", "sum", "batchmean"))
        return () if mean else None
    if op in _REDUCTIONS and set(bound) <= {"self", "input"}:
        return ()
    first = operands[0].layout if operands else None
    if op in _ADDED_PRODUCTS:
        return _product_added(op, operands)
    if op in ("cat", "stack", "concat", "vstack"):
        return _joined(op, bound)
    if first is None:
        return None
    if op in _REDUCTIONS:
        return _reduced(first.shape, bound, operands)
    second = operands[1].layout if len(operands) > 1 else None
    if op == "index_select" and second is not None:
        dim = first.dimension(_number(bound, "dim"))
        return (*first.shape[:dim], second.shape[0], *first.shape[dim + 1 :])
    if op == "gather":
        return second.shape if second is not None else None
    if op in _WINDOWS:
        return _WINDOWS[op](first.shape, bound)
    if second is None:
        return None
    if op == "cosine_similarity" and first.shape == second.shape:
        dim = first.dimension(_number(bound, "dim", default=1))
        return (*first.shape[:dim], *first.shape[dim + 1 :])
    if op == "embedding":
        return (*first.shape, second.shape[-1])
    if op == "bilinear":
        weight = operands[2].layout if len(operands) > 2 else None
        return (*first.shape[:-1], weight.shape[0]) if weight is not None else None
    return _product(op, first.shape, second.shape)


def _pooled(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...] | None:
    """One dimension pooled, without padding or dilation."""
    if any(name not in ("self", "input", "kernel_size", "stride") for name in bound):
        return None
    (kernel,) = _numbers(bound["kernel_size"])
    stride = _numbers(bound["stride"])[0] if "stride" in bound else kernel
    return (*shape[:-1], (shape[-1] - kernel) // stride + 1)


def _adapted(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    wanted = _numbers(bound["output_size"])
    return (*shape[: -len(wanted)], *wanted)


def _padded(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    sizes = list(shape)
    pads = _numbers(bound["pad"])
    for at in range(len(pads) // 2):
        sizes[-1 - at] += pads[2 * at] + pads[2 * at + 1]
    return tuple(sizes)


def _convolved(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...] | None:
    """A convolution as it is by default: stride 1, no padding."""
    weight = bound.get("weight")
    if not isinstance(weight, Tensor) or weight.layout is None or set(bound) - {"input", "weight", "bias"}:
        return None
    kernel = weight.layout.shape[2:]
    outer = (*shape[: -len(kernel) - 1], weight.layout.shape[0])
    return (*outer, *(size - k + 1 for size, k in zip(shape[-len(kernel) :], kernel, strict=True)))


def _halved(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    at = _number(bound, "dim", default=-1) % len(shape)
    return (*shape[:at], shape[at] // 2, *shape[at + 1 :])


def _repeated(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    at = _number(bound, "dim") % len(shape)
    return (*shape[:at], shape[at] * _number(bound, "repeats"), *shape[at + 1 :])


def _chosen(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    at = _number(bound, "dim", default=-1) % len(shape)
    return (*shape[:at], _number(bound, "k"), *shape[at + 1 :])


_WINDOWS: dict[str, Callable[[tuple[int, ...], Bound], tuple[int, ...] | None]] = {
    "max_pool1d": _pooled,
    "avg_pool1d": _pooled,
    "adaptive_avg_pool1d": _adapted,
    "adaptive_max_pool1d": _adapted,
    "pad": _padded,
    "conv1d": _convolved,
    "conv2d": _convolved,
    "glu": _halved,
    "repeat_interleave": _repeated,
    "topk": _chosen,
}


def _product(op: str, one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...] | None:
    if op in ("mm", "bmm", "mv", "matmul", "dot") and one:
        if len(other) == 1:
            return one[:-1]
        return (*one[:-1], other[-1]) if len(one) >= len(other) or len(other) == 2 else None
    if op == "linear" and one and len(other) == 2:
        return (*one[:-1], other[0])
    if op == "inner" and one and other:
        return (*one[:-1], *other[:-1])
    if op == "cdist" and len(one) == len(other) == 2:
        return (one[0], other[0])
    return (*one, *other) if op == "outer" else None


def _product_added(op: str, operands: Sequence[Tensor]) -> tuple[int, ...] | None:
    """`addmm` and its kin: the first operand is added to the product of the others."""
    known = [one.layout.shape for one in operands[1:3] if one.layout is not None]
    if len(known) != 2:
        return None
    return _product("outer" if op == "addr" else "matmul", *known)


def _reduced(shape: tuple[int, ...], bound: Bound, operands: Sequence[Tensor]) -> tuple[int, ...] | None:
    dim = bound.get("dim", NONE)
    if len(operands) > 1 or any(name not in ("self", "input", "dim", "keepdim", "p") for name in bound):
        return None
    if is_none(dim):
        return ()
    dims = {d % len(shape) for d in _numbers(dim)}
    keep = bound.get("keepdim")
    if keep is not None and is_true(keep):
        return tuple(1 if at in dims else size for at, size in enumerate(shape))
    return tuple(size for at, size in enumerate(shape) if at not in dims)


def of_einsum(equation: str, operands: Sequence[tuple[int | None, ...] | None]) -> tuple[int | None, ...] | None:
    """The shape of `torch.einsum(equation, ...)`, None where letters or sizes are not known."""
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow or "." in equation or len(terms) != len(operands):
        return None
    sizes: dict[str, int | None] = {}
    for term, shape in zip(terms, operands, strict=True):
        if shape is None or len(shape) != len(term):
            return None
        sizes.update(zip(term, shape, strict=True))
    return tuple(sizes.get(letter) for letter in output)


def _joined(op: str, bound: Bound) -> tuple[int, ...] | None:
    items = bound.get("tensors")
    if not isinstance(items, Items) or items.open or not items.items:
        return None
    parts = [item.layout for item in items.items if isinstance(item, Tensor)]
    known = [part.shape for part in parts if part is not None]
    if len(known) != len(items.items):
        return None
    dim = _number(bound, "dim", default=0)
    if op == "vstack":
        known = [shape if len(shape) > 1 else (1, *shape) for shape in known]
    if op == "stack":
        at = dim % (len(known[0]) + 1)
        return (*known[0][:at], len(known), *known[0][at:])
    at = dim % len(known[0])
    return (*known[0][:at], sum(shape[at] for shape in known), *known[0][at + 1 :])


def _cuts(op: str, size: int, bound: Bound) -> list[int] | None:
    """Where `chunk`, `split` and `tensor_split` cut a dimension of that size."""
    if op == "chunk":
        step = max(1, -(-size // _number(bound, "chunks")))
        return [*range(0, size, step), size]
    if op.startswith("split"):
        given = next(bound[name] for name in ("split_size", "split_size_or_sections", "split_sizes") if name in bound)
        sizes = list(_numbers(given))
        if isinstance(given, Known):
            return [*range(0, size, max(1, sizes[0])), size]
        return [sum(sizes[:at]) for at in range(len(sizes) + 1)]
    if op == "tensor_split":
        given = next(bound[name] for name in ("indices", "tensor_indices_or_sections", "sections") if name in bound)
        if isinstance(given, Items):
            return [0, *_numbers(given), size]
        (parts,) = _numbers(given)
        sizes = [size // parts + (at < size % parts) for at in range(parts)]
        return [sum(sizes[:at]) for at in range(parts + 1)]
    return None


def _number(bound: Bound, *names: str, default: int | None = None) -> int:
    """The argument of one of those names. Raises TypeError where it is not known."""
    for name in names:
        value = bound.get(name)
        if isinstance(value, Known) and isinstance(value.value, int):
            return value.value
        if value is not None:
            raise TypeError(name)
    if default is None:
        raise TypeError(names[0])
    return default


def _numbers(value: Value) -> tuple[int, ...]:
    """A number or a sequence of numbers. Raises TypeError where one of them is not known."""
    items = value.items if isinstance(value, Items) and not value.open else [value]
    if len(items) == 1 and isinstance(items[0], Items):
        items = items[0].items
    numbers = [item.value for item in items if isinstance(item, Known) and type(item.value) is int]
    if len(numbers) != len(items):
        raise TypeError("not known")
    return tuple(numbers)


def _reshape(of: Layout, bound: Bound) -> Layout | None:
    given = next(bound[name] for name in ("size", "shape") if name in bound)
    return layouts.reshaped(of, _numbers(given))


def _flatten(of: Layout, bound: Bound) -> Layout | None:
    start = of.dimension(_number(bound, "start_dim", default=0))
    end = of.dimension(_number(bound, "end_dim", default=-1))
    middle = 1
    for size in of.shape[start : end + 1]:
        middle *= size
    return layouts.reshaped(of, (*of.shape[:start], middle, *of.shape[end + 1 :]))


def _movedim(of: Layout, bound: Bound) -> Layout:
    source, to = (_numbers(bound[name]) for name in ("source", "destination"))
    order = [d for d in range(len(of.shape)) if d not in {of.dimension(s) for s in source}]
    for target, origin in sorted((of.dimension(t), of.dimension(s)) for s, t in zip(source, to, strict=True)):
        order.insert(target, origin)
    return layouts.permuted(of, order)


def _like(of: Layout, bound: Bound, how: Callable[[Layout, Sequence[int]], Layout | None]) -> Layout | None:
    other = bound.get("other")
    return how(of, other.layout.shape) if isinstance(other, Tensor) and other.layout is not None else None


def _diagonal(of: Layout, bound: Bound) -> Layout:
    first, second = _number(bound, "dim1", default=0), _number(bound, "dim2", default=1)
    return layouts.diagonal(of, _number(bound, "offset", default=0), first, second)


def _unfold(of: Layout, bound: Bound) -> Layout:
    return layouts.unfolded(of, _number(bound, "dimension"), _number(bound, "size"), _number(bound, "step"))


def _as_strided(of: Layout, bound: Bound) -> Layout:
    offset = _number(bound, "storage_offset", default=of.offset)
    return Layout(_numbers(bound["size"]), _numbers(bound["stride"]), offset)


def _squeeze(of: Layout, bound: Bound) -> Layout:
    return layouts.squeezed(of, _numbers(bound["dim"]) if "dim" in bound else None)


def _narrow(of: Layout, bound: Bound) -> Layout:
    start, length = _number(bound, "start"), _number(bound, "length")
    return layouts.sliced(of, _number(bound, "dim"), slice(start, start + length))


def _transpose(of: Layout, bound: Bound) -> Layout:
    return layouts.swapped(of, _number(bound, "dim0", "axis0"), _number(bound, "dim1", "axis1"))


_VIEWS: dict[str, Callable[[Layout, Bound], Layout | None]] = {
    "view": _reshape,
    "reshape": _reshape,
    "flatten": _flatten,
    "ravel": lambda of, bound: layouts.reshaped(of, (-1,)),
    "view_as": lambda of, bound: _like(of, bound, layouts.reshaped),
    "reshape_as": lambda of, bound: _like(of, bound, layouts.reshaped),
    "expand_as": lambda of, bound: _like(of, bound, layouts.expanded),
    "expand": lambda of, bound: layouts.expanded(of, _numbers(bound["size"])),
    "broadcast_to": lambda of, bound: layouts.expanded(of, _numbers(bound["size"])),
    "unsqueeze": lambda of, bound: layouts.unsqueezed(of, _number(bound, "dim")),
    "squeeze": _squeeze,
    "select": lambda of, bound: layouts.selected(of, _number(bound, "dim"), _number(bound, "index")),
    "narrow": _narrow,
    "transpose": _transpose,
    "swapaxes": _transpose,
    "swapdims": _transpose,
    "t": lambda of, bound: layouts.swapped(of, 0, -1) if len(of.shape) <= 2 else None,
    "mT": lambda of, bound: layouts.swapped(of, -1, -2),
    "permute": lambda of, bound: layouts.permuted(of, _numbers(bound["dims"])),
    "movedim": _movedim,
    "moveaxis": _movedim,
    "diagonal": _diagonal,
    "unfold": _unfold,
    "as_strided": _as_strided,
    "alias": lambda of, bound: of,
    "detach": lambda of, bound: of,
}
