"""The writes of a torch call by its name and arguments: needed where torch refuses it before it dispatches."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch

from inplace_lsp.tape.autograd import DETACH
from inplace_lsp.worker.operators import BY_METHOD
from inplace_lsp.worker.recording import tensors_in

TorchFunction = Callable[..., object]
"""A function or method of torch's, as `__torch_function__` gets it, with what it is called with."""
Arguments = Sequence[object]
Named = Mapping[str, object]

_NO_WRITES = frozenset({"requires_grad_", "share_memory_", "rename_"})
"""Methods whose name ends like that of a write, but which write no values."""


def op_name(func: TorchFunction) -> str:
    """Return the name of a torch function as a reader knows it; for a property access, the property's name."""
    name = str(getattr(func, "__name__", func))
    if name in ("__get__", "__set__"):
        return str(getattr(getattr(func, "__self__", None), "__name__", name))
    return name.split(".", maxsplit=1)[0]


def written_candidates(func: TorchFunction, args: Arguments, kwargs: Named) -> Iterator[tuple[torch.Tensor, str]]:
    """Yield the tensors that a call of `func` would write, with the name of the write, by torch's naming rules."""
    name = getattr(func, "__name__", "")
    first = args[0] if args else next(iter(kwargs.values()), None)
    if name == "__setitem__":
        yield _assigned_target(*args[:2])
    elif name in BY_METHOD:
        yield first, name[3:-2] + "_"
    elif name == DETACH:
        yield from ((tensor, name) for tensor in tensors_in(first) if tensor._is_view() and not tensor.is_inference())
    elif name.endswith("_") and not name.endswith("__") and name not in _NO_WRITES:
        yield from ((tensor, name.removeprefix("_foreach_")) for tensor in tensors_in(first))
    elif kwargs.get("out") is not None:
        yield from ((tensor, name) for tensor in tensors_in(kwargs["out"]))
    elif isinstance(first, torch.Tensor) and _asks_inplace(func, args, kwargs):
        yield first, name + "_"


def read_operands(args: Arguments, kwargs: Named) -> tuple[object, ...]:
    """Return the arguments that a call only reads."""
    if kwargs.get("out") is not None:
        return (*args, *(value for name, value in kwargs.items() if name != "out"))
    return (*args, *kwargs.values())[1:]


def _assigned_target(tensor: torch.Tensor, index: object) -> tuple[torch.Tensor, str]:
    """Return what an assignment to `tensor[index]` writes: a view, or the tensor itself where the index selects all of
    it.

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


def _is_advanced(part: object) -> bool:
    return isinstance(part, (list, range)) or (isinstance(part, torch.Tensor) and part.dim() > 0)


def _asks_inplace(func: TorchFunction, args: Arguments, kwargs: Named) -> bool:
    if "inplace" in kwargs:
        return bool(kwargs["inplace"])
    try:
        return bool(inspect.signature(func).bind(*args, **kwargs).arguments.get("inplace"))
    except (TypeError, ValueError):
        return False
