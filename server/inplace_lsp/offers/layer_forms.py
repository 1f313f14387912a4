"""What torch's layers make of the form of a tensor."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.offers.extents import Extents
from inplace_lsp.offers.forms import Form, lower
from inplace_lsp.offers.reading import find_given
from inplace_lsp.torch_ops.model import Param

_GEOMETRY = ("kernel_size", "stride", "padding", "dilation", "padding_mode")


def run_layer(form: Form, kind: str, maker: ast.Call, params: Sequence[Param], extents: Extents) -> Form | None:
    """Return the form of what a layer makes of a tensor, None if it is not known."""
    if kind.startswith("BatchNorm"):
        return form
    if kind in ("LayerNorm", "GroupNorm"):
        return replace(form, type=("norm", form.type))
    if kind == "Linear":
        into, out = (extents.read_given(maker, params, width) for width in ("in_features", "out_features"))
        return replace(form if into == out else form.with_last(out), type=lower(form.type))
    if kind == "Embedding":
        width = extents.read_given(maker, params, "embedding_dim")
        return replace(form, dims=(*form.dims, width), type=("as", "parameters"))
    if kind in ("Conv1d", "Conv2d", "Conv3d"):
        return _convolve(form, kind, maker, params, extents)
    return None


def _convolve(form: Form, kind: str, maker: ast.Call, params: Sequence[Param], extents: Extents) -> Form:
    into, out = (extents.read_given(maker, params, width) for width in ("in_channels", "out_channels"))
    if into == out and _keeps_extents(maker, params):
        return replace(form, type=lower(form.type))
    settings = [extents.read_given(maker, params, name) for name in _GEOMETRY]
    return Form((kind, form.shape, out, *settings), (), lower(form.type))


def _keeps_extents(maker: ast.Call, params: Sequence[Param]) -> bool:
    """Return whether a convolution gives as many elements along each dimension as it was given."""
    kernel, stride, padding, dilation = (_read_setting(maker, params, name) for name in _GEOMETRY[:4])
    if stride != 1 or dilation is None:
        return False
    return padding == "same" or (
        isinstance(kernel, int) and isinstance(padding, int) and isinstance(dilation, int)
        and 2 * padding == dilation * (kernel - 1)
    )  # fmt: skip


def _read_setting(maker: ast.Call, params: Sequence[Param], name: str) -> int | str | None:
    given = find_given(maker, params, name)
    if not given:
        return 0 if name == "padding" else 1
    value = given[0].value if isinstance(given[0], ast.Constant) else None
    return value if isinstance(value, (int, str)) else None
