"""What a call of torch writes, told by its name and arguments: needed where torch refuses it before it dispatches."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch

from inplace_lsp.worker.session import tensors_in

_INPLACE_OPERATORS = frozenset(
    f"__i{name}__"
    for name in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"]
)

_NO_WRITES = frozenset({"requires_grad_", "detach_", "share_memory_", "rename_"})
"""Methods whose name ends like that of a write, but which write no values."""


def op_name(func: Any) -> str:
    """The name of a torch function as a reader knows it; for a property access that of the property."""
    name = str(getattr(func, "__name__", func))
    if name in ("__get__", "__set__"):
        return str(getattr(getattr(func, "__self__", None), "__name__", name))
    return name.split(".", maxsplit=1)[0]


def candidates(func: Any, args: Any, kwargs: Any) -> Iterator[tuple[torch.Tensor, str]]:
    """The tensors that a call of `func` would write, and the name of the write, by torch's naming rules."""
    name = getattr(func, "__name__", "")
    first = args[0] if args else next(iter(kwargs.values()), None)
    if name == "__setitem__":
        yield _target(*args[:2])
    elif name in _INPLACE_OPERATORS:
        yield first, name[3:-2] + "_"
    elif name.endswith("_") and not name.endswith("__") and name not in _NO_WRITES:
        yield from ((one, name.removeprefix("_foreach_")) for one in tensors_in(first))
    elif kwargs.get("out") is not None:
        yield from ((one, name) for one in tensors_in(kwargs["out"]))
    elif isinstance(first, torch.Tensor) and _asks_inplace(func, args, kwargs):
        yield first, name + "_"


def only_read(args: Any, kwargs: Any) -> tuple[Any, ...]:
    """The arguments besides the one that a call writes."""
    if kwargs.get("out") is not None:
        return (*args, *(value for name, value in kwargs.items() if name != "out"))
    return (*args, *kwargs.values())[1:]


def _target(tensor: torch.Tensor, index: Any) -> tuple[torch.Tensor, str]:
    """What an assignment to `tensor[index]` writes: a view of it, or the tensor itself where the index takes all of it.

    Masks, lists and index tensors take effect after the rest of the index has made its view.
    """
    parts = index if isinstance(index, tuple) else (index,)
    plain = tuple(slice(None) if _is_advanced(part) else part for part in parts)
    op = "index_put_" if any(map(_is_advanced, parts)) else "copy_"
    if any(isinstance(part, torch.Tensor) and part.dtype == torch.bool and part.dim() > 1 for part in parts):
        return tensor, op
    try:
        view = tensor[plain]
    except (RuntimeError, IndexError, TypeError):
        return tensor, op
    takes_all = all(part is Ellipsis or isinstance(part, slice) for part in plain) and view.shape == tensor.shape
    return (tensor if takes_all else view), op


def _is_advanced(part: Any) -> bool:
    return isinstance(part, (list, range)) or (isinstance(part, torch.Tensor) and part.dim() > 0)


def _asks_inplace(func: Any, args: Any, kwargs: Any) -> bool:
    if "inplace" in kwargs:
        return bool(kwargs["inplace"])
    try:
        return bool(inspect.signature(func).bind(*args, **kwargs).arguments.get("inplace"))
    except (TypeError, ValueError):
        return False
