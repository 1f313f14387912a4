"""The shapes of results from the shapes of operands. Only for known extents; None is always a correct answer."""

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
_REDUCTION_PARAMETERS = frozenset({"self", "input", "dim", "keepdim", "p"})
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


def set_layout(tensor: Tensor, layout: Layout | None) -> None:
    """Set the layout of `tensor` and what follows from it."""
    if layout is None:
        return
    tensor.layout = layout
    tensor.shape = layout.shape
    tensor.contiguous = layout.is_contiguous
    tensor.expanded = layout.expanded_dimensions


def set_shape(tensor: Tensor, shape: Sequence[int | None] | None) -> None:
    """Set the shape of `tensor`, which has its own memory, as far as it is known."""
    tensor.shape = None if shape is None else tuple(shape)
    known = [size for size in shape or () if size is not None]
    if shape is not None and len(known) == len(shape):
        set_layout(tensor, layouts.make_contiguous_layout(known))


def layout_of_view(op: str, of: Tensor, bound: Bound) -> Layout | None:
    """Return the layout of the view of `of` that `op` makes; None if unknown."""
    rule = _VIEWS.get(op)
    if rule is None or of.layout is None:
        return None
    try:
        return rule(of.layout, bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return None


MADE_UP = (2, 3, 5, 7, 11, 13, 17, 19)
"""Extents of tensors whose own are not known."""


def keeps_order(op: str) -> bool:
    """Return whether the elements of the op's result lie in memory in the order of its first operand."""
    return op == "scaled_dot_product_attention" or ((op in _BROADCAST or op in _AS_FIRST) and op not in _ROW_MAJOR)


def find_swapped_dimensions(op: str, bound: Bound) -> tuple[int, int] | None:
    """Return the two dimensions that a view exchanges, the smaller number first; None if it does something else."""
    try:
        if op == "permute":
            first, *rest = [(at, dim) for at, dim in enumerate(_int_tuple(bound["dims"])) if at != dim]
            return first if rest == [first[::-1]] else None
        if op not in ("transpose", "swapaxes", "swapdims"):
            return None
        pair = sorted((_int_argument(bound, "dim0", "axis0"), _int_argument(bound, "dim1", "axis1")))
    except (ValueError, TypeError):
        return None
    return pair[0], pair[1]


def puts_rows_apart(op: str, bound: Bound) -> bool:
    """Return whether to join all dimensions but the last takes a copy after this view of a contiguous tensor, whatever
    its extents (those of one left out)."""
    try:
        if op == "permute":
            rank = len(_int_tuple(bound["dims"]))
        elif op in ("transpose", "swapaxes", "swapdims"):
            rank = _find_least_rank(_int_argument(bound, "dim0", "axis0"), _int_argument(bound, "dim1", "axis1"))
        else:
            return False
        turned = _VIEWS[op](layouts.make_contiguous_layout(MADE_UP[:rank]), bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return False
    return turned is not None and len(turned.shape) > 2 and layouts.join_rows(turned) is None


def _find_least_rank(*dimensions: int) -> int:
    """Return the least number of dimensions of a tensor that has these; 0 if some are counted from the end."""
    return max(dimensions) + 1 if min(dimensions) >= 0 else 0


def layout_of_copy(op: str, of: Tensor, bound: Bound) -> Layout | None:
    """Return the layout of the copy that `reshape` and similar ops make if no view is possible."""
    if op in ("reshape", "flatten", "ravel") and of.layout is not None:
        plain = _make_contiguous(of)
        return layout_of_view(op, plain, bound)
    return layout_of_result(op, bound)


def _make_contiguous(of: Tensor) -> Tensor:
    """Return `of` as if its elements were contiguous."""
    return replace(of, layout=layouts.make_contiguous_layout(of.layout.shape)) if of.layout is not None else of


def update_shape_in_place(tensor: Tensor, op: str, bound: Bound) -> None:
    """Update the shape after a write: `unsqueeze_`, `t_`, `resize_` and similar change the tensor itself."""
    if op.removesuffix("_") in _VIEWS or op in ("resize_", "set_", "resize_as_", "as_strided_"):
        layout = layout_of_view(op.removesuffix("_"), tensor, bound)
        tensor.shape, tensor.layout, tensor.contiguous = None, None, False
        set_layout(tensor, layout)


def layouts_of_views(op: str, of: Tensor, bound: Bound) -> list[Layout] | None:
    """Return the layouts of the views that `op` makes at once."""
    if of.layout is None or not of.layout.shape:
        return None
    try:
        dim = of.layout.count_from_front(_int_argument(bound, "dim", default=0))
        size = of.layout.shape[dim]
        if op == "unbind":
            return [layouts.select_index(of.layout, dim, at) for at in range(size)]
        cuts = _find_cuts(op, size, bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return None
    if cuts is None:
        return None
    return [layouts.slice_dimension(of.layout, dim, slice(start, stop)) for start, stop in itertools.pairwise(cuts)]


def layout_of_operand_view(op: str, operands: Sequence[Tensor], at: int) -> Layout | None:
    """Return the layout of the view of operand `at` that an op on several tensors makes."""
    known = [operand.layout for operand in operands if operand.layout is not None]
    if len(known) != len(operands):
        return None
    if op == "broadcast_tensors":
        whole = _broadcast_layouts(known)
        return layouts.expand_layout(known[at], whole.shape) if whole is not None else None
    return _layout_in_grid(known, at) if op == "meshgrid" else None


def _layout_in_grid(lines: Sequence[Layout], at: int) -> Layout | None:
    """Return the layout of the view of one line that `meshgrid` expands to the shape of all."""
    if any(len(line.shape) != 1 for line in lines):
        return None
    line = layouts.reshape_layout(lines[at], [-1 if d == at else 1 for d in range(len(lines))])
    return layouts.expand_layout(line, [line.shape[0] for line in lines]) if line is not None else None


def layout_of_result(op: str, bound: Bound) -> Layout | None:
    """Return the layout of the new tensor that `op` makes; None if unknown."""
    operands = [value for value in bound.values() if isinstance(value, Tensor)]
    try:
        if op in _BROADCAST:
            return _broadcast_layouts([t.layout for t in (operands[::-1] if op == "rsub" else operands)])
        if op in _COLUMN_MAJOR:
            return _column_major(operands[-1].layout) if operands else None
        if op == "scaled_dot_product_attention":
            return _layout_of_attention(bound)
        if op in _AS_FIRST:
            return _layout_like_first(op, operands[0].layout) if operands else None
        shape = _shape_of_result(op, operands, bound)
    except (ArithmeticError, IndexError, ValueError, TypeError):
        return None
    return None if shape is None else layouts.make_contiguous_layout(shape)


def _layout_of_attention(bound: Bound) -> Layout | None:
    """Return the layout of the result of an attention kernel: heads and positions lie as in the query."""
    query, value = (part.layout if isinstance(part, Tensor) else None for part in (bound["query"], bound["value"]))
    if query is None or value is None or len(query.shape) != 4 or query.shape[-1] != value.shape[-1]:
        return None
    return layouts.make_packed_layout(query)


def _column_major(of: Layout | None) -> Layout | None:
    """Return the layout of matrices stored column by column, as LAPACK returns them."""
    if of is None or len(of.shape) < 2:
        return None
    return layouts.swap_dimensions(layouts.make_contiguous_layout((*of.shape[:-2], of.shape[-1], of.shape[-2])), -1, -2)


def _layout_like_first(op: str, first: Layout | None) -> Layout | None:
    """Return the layout of new memory in the operand's order if that is dense, as TensorIterator allocates it."""
    if first is None:
        return None
    return layouts.make_contiguous_layout(first.shape) if op in _ROW_MAJOR else layouts.make_packed_layout(first)


def _broadcast_layouts(operands: Sequence[Layout | None]) -> Layout | None:
    known = [operand for operand in operands if operand is not None]
    return layouts.combine_layouts(known) if known and len(known) == len(operands) else None


def _shape_of_result(op: str, operands: Sequence[Tensor], bound: Bound) -> tuple[int, ...] | None:
    if op in _LOSSES:
        return _shape_of_loss(bound)
    if op in _REDUCTIONS and set(bound) <= {"self", "input"}:
        return ()
    if op in _ADDED_PRODUCTS:
        return _add_to_product(op, operands)
    if op in ("cat", "stack", "concat", "vstack"):
        return _join_shapes(op, bound)
    first = operands[0].layout if operands else None
    if first is None:
        return None
    if op in _REDUCTIONS:
        return _reduce_shape(first.shape, bound, operands)
    if op in _WINDOWS:
        return _WINDOWS[op](first.shape, bound)
    return _shape_of_two(op, first, operands, bound)


def _shape_of_loss(bound: Bound) -> tuple[int, ...] | None:
    reduction = bound.get("reduction")
    is_scalar = reduction is None or (isinstance(reduction, Known) and reduction.value in ("mean", "sum", "batchmean"))
    return () if is_scalar else None


def _shape_of_two(op: str, first: Layout, operands: Sequence[Tensor], bound: Bound) -> tuple[int, ...] | None:
    """Return the shape of the result of an op that needs the shapes of two operands."""
    second = operands[1].layout if len(operands) > 1 else None
    if second is None:
        return None
    if op == "index_select":
        dim = first.count_from_front(_int_argument(bound, "dim"))
        return (*first.shape[:dim], second.shape[0], *first.shape[dim + 1 :])
    if op == "gather":
        return second.shape
    if op == "cosine_similarity" and first.shape == second.shape:
        dim = first.count_from_front(_int_argument(bound, "dim", default=1))
        return (*first.shape[:dim], *first.shape[dim + 1 :])
    if op == "embedding":
        return (*first.shape, second.shape[-1])
    if op == "bilinear":
        weight = operands[2].layout if len(operands) > 2 else None
        return (*first.shape[:-1], weight.shape[0]) if weight is not None else None
    return _multiply_shapes(op, first.shape, second.shape)


def _pool_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...] | None:
    """Return the shape after pooling one dimension without padding or dilation."""
    if any(name not in ("self", "input", "kernel_size", "stride") for name in bound):
        return None
    (kernel,) = _int_tuple(bound["kernel_size"])
    stride = _int_tuple(bound["stride"])[0] if "stride" in bound else kernel
    return (*shape[:-1], (shape[-1] - kernel) // stride + 1)


def _adapt_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    wanted = _int_tuple(bound["output_size"])
    return (*shape[: -len(wanted)], *wanted)


def _pad_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    sizes = list(shape)
    pads = _int_tuple(bound["pad"])
    for at in range(len(pads) // 2):
        sizes[-1 - at] += pads[2 * at] + pads[2 * at + 1]
    return tuple(sizes)


def _convolve_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...] | None:
    """Return the shape of a convolution with stride 1 and no padding."""
    weight = bound.get("weight")
    if not isinstance(weight, Tensor) or weight.layout is None or set(bound) - {"input", "weight", "bias"}:
        return None
    kernel = weight.layout.shape[2:]
    outer = (*shape[: -len(kernel) - 1], weight.layout.shape[0])
    return (*outer, *(size - k + 1 for size, k in zip(shape[-len(kernel) :], kernel, strict=True)))


def _halve_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    at = _int_argument(bound, "dim", default=-1) % len(shape)
    return (*shape[:at], shape[at] // 2, *shape[at + 1 :])


def _repeat_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    at = _int_argument(bound, "dim") % len(shape)
    return (*shape[:at], shape[at] * _int_argument(bound, "repeats"), *shape[at + 1 :])


def _choose_shape(shape: tuple[int, ...], bound: Bound) -> tuple[int, ...]:
    at = _int_argument(bound, "dim", default=-1) % len(shape)
    return (*shape[:at], _int_argument(bound, "k"), *shape[at + 1 :])


_WINDOWS: dict[str, Callable[[tuple[int, ...], Bound], tuple[int, ...] | None]] = {
    "max_pool1d": _pool_shape,
    "avg_pool1d": _pool_shape,
    "adaptive_avg_pool1d": _adapt_shape,
    "adaptive_max_pool1d": _adapt_shape,
    "pad": _pad_shape,
    "conv1d": _convolve_shape,
    "conv2d": _convolve_shape,
    "glu": _halve_shape,
    "repeat_interleave": _repeat_shape,
    "topk": _choose_shape,
}


def _multiply_shapes(op: str, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | None:
    if op in ("mm", "bmm", "mv", "matmul", "dot") and first:
        return _multiply_matrices(first, second)
    if op == "linear" and first and len(second) == 2:
        return (*first[:-1], second[0])
    if op == "inner" and first and second:
        return (*first[:-1], *second[:-1])
    if op == "cdist" and len(first) == len(second) == 2:
        return (first[0], second[0])
    return (*first, *second) if op == "outer" else None


def _multiply_matrices(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | None:
    if len(second) == 1:
        return first[:-1]
    return (*first[:-1], second[-1]) if len(first) >= len(second) or len(second) == 2 else None


def _add_to_product(op: str, operands: Sequence[Tensor]) -> tuple[int, ...] | None:
    """Return the shape of `addmm` and similar: the product of the other operands."""
    known = [operand.layout.shape for operand in operands[1:3] if operand.layout is not None]
    if len(known) != 2:
        return None
    return _multiply_shapes("outer" if op == "addr" else "matmul", *known)


def _reduce_shape(shape: tuple[int, ...], bound: Bound, operands: Sequence[Tensor]) -> tuple[int, ...] | None:
    dim = bound.get("dim", NONE)
    if len(operands) > 1 or not _REDUCTION_PARAMETERS.issuperset(bound):
        return None
    if is_none(dim):
        return ()
    dims = {d % len(shape) for d in _int_tuple(dim)}
    keep = bound.get("keepdim")
    if keep is not None and is_true(keep):
        return tuple(1 if at in dims else size for at, size in enumerate(shape))
    return tuple(size for at, size in enumerate(shape) if at not in dims)


def _join_shapes(op: str, bound: Bound) -> tuple[int, ...] | None:
    known = _shapes_of_items(bound.get("tensors"))
    if not known:
        return None
    dim = _int_argument(bound, "dim", default=0)
    if op == "vstack":
        known = [shape if len(shape) > 1 else (1, *shape) for shape in known]
    if op == "stack":
        at = dim % (len(known[0]) + 1)
        return (*known[0][:at], len(known), *known[0][at:])
    at = dim % len(known[0])
    return (*known[0][:at], sum(shape[at] for shape in known), *known[0][at + 1 :])


def _shapes_of_items(items: Value | None) -> list[tuple[int, ...]]:
    """Return the shapes of all tensors of a list; none if one is not known."""
    if not isinstance(items, Items) or items.open:
        return []
    parts = [item.layout for item in items.items if isinstance(item, Tensor)]
    known = [part.shape for part in parts if part is not None]
    return known if len(known) == len(items.items) else []


def _find_cuts(op: str, size: int, bound: Bound) -> list[int] | None:
    """Return the positions at which `chunk`, `split` and `tensor_split` cut a dimension of that size."""
    op = op.removeprefix("unsafe_")
    if op == "chunk":
        step = max(1, -(-size // _int_argument(bound, "chunks")))
        return [*range(0, size, step), size]
    if op.startswith("split"):
        return _find_cuts_of_split(size, bound)
    return _find_cuts_of_tensor_split(size, bound) if op == "tensor_split" else None


def _find_cuts_of_split(size: int, bound: Bound) -> list[int]:
    given = next(bound[name] for name in ("split_size", "split_size_or_sections", "split_sizes") if name in bound)
    sizes = _int_tuple(given)
    if isinstance(given, Known):
        return [*range(0, size, max(1, sizes[0])), size]
    return [sum(sizes[:at]) for at in range(len(sizes) + 1)]


def _find_cuts_of_tensor_split(size: int, bound: Bound) -> list[int]:
    given = next(bound[name] for name in ("indices", "tensor_indices_or_sections", "sections") if name in bound)
    if isinstance(given, Items):
        return [0, *_int_tuple(given), size]
    (parts,) = _int_tuple(given)
    sizes = [size // parts + (at < size % parts) for at in range(parts)]
    return [sum(sizes[:at]) for at in range(parts + 1)]


def _int_argument(bound: Bound, *names: str, default: int | None = None) -> int:
    """Return the argument under one of these names. Raises TypeError if it is unknown."""
    for name in names:
        value = bound.get(name)
        if isinstance(value, Known) and isinstance(value.value, int):
            return value.value
        if value is not None:
            raise TypeError(name)
    if default is None:
        raise TypeError(names[0])
    return default


def _int_tuple(value: Value) -> tuple[int, ...]:
    """Return an integer or a sequence of integers as a tuple. Raises TypeError if one is unknown."""
    while isinstance(value, Items) and len(value.items) == 1 and not value.open and isinstance(value.items[0], Items):
        value = value.items[0]
    items = value.items if isinstance(value, Items) else [value]
    numbers = [item.value for item in items if isinstance(item, Known) and type(item.value) is int]
    if len(numbers) != len(items) or (isinstance(value, Items) and value.open):
        raise TypeError("not known")
    return tuple(numbers)


def _reshape_layout(of: Layout, bound: Bound) -> Layout | None:
    given = next(bound[name] for name in ("size", "shape") if name in bound)
    return layouts.reshape_layout(of, _int_tuple(given))


def _flatten_layout(of: Layout, bound: Bound) -> Layout | None:
    start = of.count_from_front(_int_argument(bound, "start_dim", default=0))
    end = of.count_from_front(_int_argument(bound, "end_dim", default=-1))
    middle = 1
    for size in of.shape[start : end + 1]:
        middle *= size
    return layouts.reshape_layout(of, (*of.shape[:start], middle, *of.shape[end + 1 :]))


def _unflatten_layout(of: Layout, bound: Bound) -> Layout | None:
    at = of.count_from_front(_int_argument(bound, "dim"))
    return layouts.reshape_layout(of, (*of.shape[:at], *_int_tuple(bound["sizes"]), *of.shape[at + 1 :]))


def _move_dimensions(of: Layout, bound: Bound) -> Layout:
    source, to = (_int_tuple(bound[name]) for name in ("source", "destination"))
    order = [d for d in range(len(of.shape)) if d not in {of.count_from_front(s) for s in source}]
    for target, origin in sorted(
        (of.count_from_front(t), of.count_from_front(s)) for s, t in zip(source, to, strict=True)
    ):
        order.insert(target, origin)
    return layouts.permute_dimensions(of, order)


def _layout_like_other(
    of: Layout, bound: Bound, how: Callable[[Layout, Sequence[int]], Layout | None]
) -> Layout | None:
    other = bound.get("other")
    return how(of, other.layout.shape) if isinstance(other, Tensor) and other.layout is not None else None


def _take_diagonal(of: Layout, bound: Bound) -> Layout:
    first, second = _int_argument(bound, "dim1", default=0), _int_argument(bound, "dim2", default=1)
    return layouts.take_diagonal(of, _int_argument(bound, "offset", default=0), first, second)


def _unfold_layout(of: Layout, bound: Bound) -> Layout:
    return layouts.unfold_dimension(
        of, _int_argument(bound, "dimension"), _int_argument(bound, "size"), _int_argument(bound, "step")
    )


def _as_strided(of: Layout, bound: Bound) -> Layout:
    offset = _int_argument(bound, "storage_offset", default=of.offset)
    shape, strides = _int_tuple(bound["size"]), _int_tuple(bound["stride"])
    if len(shape) != len(strides):
        raise ValueError("torch refuses it")
    return Layout(shape, strides, offset)


def _squeeze_layout(of: Layout, bound: Bound) -> Layout:
    return layouts.squeeze_layout(of, _int_tuple(bound["dim"]) if "dim" in bound else None)


def _narrow_layout(of: Layout, bound: Bound) -> Layout:
    start, length = _int_argument(bound, "start"), _int_argument(bound, "length")
    return layouts.slice_dimension(of, _int_argument(bound, "dim"), slice(start, start + length))


def _transpose_layout(of: Layout, bound: Bound) -> Layout:
    return layouts.swap_dimensions(of, _int_argument(bound, "dim0", "axis0"), _int_argument(bound, "dim1", "axis1"))


_VIEWS: dict[str, Callable[[Layout, Bound], Layout | None]] = {
    "view": _reshape_layout,
    "reshape": _reshape_layout,
    "flatten": _flatten_layout,
    "unflatten": _unflatten_layout,
    "ravel": lambda of, bound: layouts.reshape_layout(of, (-1,)) if of.is_contiguous else None,
    "view_as": lambda of, bound: _layout_like_other(of, bound, layouts.reshape_layout),
    "reshape_as": lambda of, bound: _layout_like_other(of, bound, layouts.reshape_layout),
    "expand_as": lambda of, bound: _layout_like_other(of, bound, layouts.expand_layout),
    "expand": lambda of, bound: layouts.expand_layout(of, _int_tuple(bound["size"])),
    "broadcast_to": lambda of, bound: layouts.expand_layout(of, _int_tuple(bound["size"])),
    "unsqueeze": lambda of, bound: layouts.unsqueeze_layout(of, _int_argument(bound, "dim")),
    "squeeze": _squeeze_layout,
    "select": lambda of, bound: layouts.select_index(of, _int_argument(bound, "dim"), _int_argument(bound, "index")),
    "narrow": _narrow_layout,
    "transpose": _transpose_layout,
    "swapaxes": _transpose_layout,
    "swapdims": _transpose_layout,
    "t": lambda of, bound: layouts.swap_dimensions(of, 0, -1) if len(of.shape) <= 2 else None,
    "mT": lambda of, bound: layouts.swap_dimensions(of, -1, -2),
    "permute": lambda of, bound: layouts.permute_dimensions(of, _int_tuple(bound["dims"])),
    "movedim": _move_dimensions,
    "moveaxis": _move_dimensions,
    "diagonal": _take_diagonal,
    "unfold": _unfold_layout,
    "as_strided": _as_strided,
    "alias": lambda of, bound: of,
    "detach": lambda of, bound: of,
}
