"""What torch does: run an op, write to one of its tensors, go backward, see whether that raises.

No answer is shared with the generator of the table: each comes from a run of its own with a real write.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map_only

from tools.op_table.samples import draw_samples
from tools.op_table.seeds import set_seed


@dataclass(frozen=True)
class Case:
    """One call of a public name. `arguments` by parameter."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


OTHER_ORDER = ("nn.functional.embedding", "nn.functional.embedding_bag", "polygamma", "einsum")
"""Entries that torch's database calls through a wrapper with the arguments in another order."""


def database_cases(limit: int) -> Iterator[Case]:
    """`limit` samples of every entry of torch's op database: as a function (or method) and in place."""
    from torch.testing._internal.common_methods_invocations import op_db

    for op in op_db:
        if op.name.startswith(("masked.", "torch.ops.", "sparse.")) or op.name in OTHER_ORDER:
            continue
        samples = list(islice(_samples(op), limit))
        for name in dict.fromkeys([op.name, *(alias.name for alias in op.aliases)]):
            for public in _public(name):
                for sample in samples:
                    yield Case(public, _resolve(public), (sample.input, *sample.args), sample.kwargs)


def _samples(op: Any) -> Iterator[Any]:
    kinds = op.supported_backward_dtypes("cpu")
    dtype = next((kind for kind in (torch.float32, torch.float64, torch.complex64) if kind in kinds), None)
    if dtype is None:
        return
    set_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for sample in draw_samples(op, dtype):
                if all(tensor.numel() for tensor in tensors((sample.input, sample.args, sample.kwargs))):
                    yield sample
        except Exception:  # some sample generators need what this machine lacks
            return


def _public(name: str) -> list[str]:
    function = f"torch.{name}" if _resolve(f"torch.{name}") else f"torch.Tensor.{name}"
    return [public for public in (function, f"torch.Tensor.{name}_") if _resolve(public)]


def _resolve(name: str) -> Any:
    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found if callable(found) else None


def tensors(value: Any) -> list[Any]:
    """The tensors in `value`, however nested."""
    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def can_require_grad(value: Any) -> bool:
    """Whether any tensor in it is of a type that gradients flow to."""
    return any(tensor.is_floating_point() or tensor.is_complex() for tensor in tensors(value))


class Unusable(Exception):  # noqa: N818
    """The call, or the backward without any write, does not work with these arguments."""


def backward_raises(
    call: Callable[[Mapping[str, Any]], Any],
    given: Mapping[str, Any],
    requiring: frozenset[str],
    written: tuple[str, int] | None,
) -> bool | None:
    """Whether backward raises once the tensor `written` (role and index) was written; None if there is no such one.

    With nothing written it must work: the wording of errors changes between releases, so any error counts.
    """
    leaves: list[Any] = []

    def fresh(tensor: Any, wanted: bool) -> Any:
        copy = tensor.detach().clone()
        if not wanted or not can_require_grad(copy):
            return copy
        leaves.append(copy.requires_grad_())
        return copy.clone()

    arguments = {
        name: tree_map_only(torch.Tensor, lambda t, wanted=name in requiring: fresh(t, wanted), value)
        for name, value in given.items()
    }
    set_seed(2)
    outputs = tensors(call(arguments))
    wanting = [output for output in outputs if output.requires_grad]
    if not wanting:
        raise Unusable
    if written is not None:
        role, index = written
        among = tensors(arguments[role]) if role in arguments else outputs
        if index >= len(among):
            return None
        with torch.no_grad():
            _write(among[index])
    try:
        torch.autograd.grad(wanting, leaves, [torch.ones_like(each) for each in wanting], allow_unused=True)
    except RuntimeError:
        return True
    return False


def _write(tensor: Any) -> None:
    """A write that changes nothing but the version."""
    if tensor.dtype == torch.bool:
        tensor.logical_and_(tensor.clone())
    else:
        tensor.add_(0)


def memory_shared(call: Callable[[Mapping[str, Any]], Any], given: Mapping[str, Any]) -> set[tuple[str, int, str, int]]:
    """Which tensor of an argument has the version counter of which output: (parameter, index, "result", index)."""
    arguments = {name: tree_map_only(torch.Tensor, lambda t: t.detach().clone(), v) for name, v in given.items()}
    set_seed(2)
    outputs = tensors(call(arguments))
    shared = set()
    for name, value in arguments.items():
        for index, tensor in enumerate(tensors(value)):
            before = [output._version for output in outputs]
            torch.autograd.graph.increment_version(tensor)
            for place, output in enumerate(outputs):
                if output._version != before[place]:
                    shared.add((name, index, "result", place))
    return shared
