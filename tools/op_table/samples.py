"""Example calls: torch's own op database, and recipes for what it does not cover."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from tools.op_table.binding import Call
from tools.op_table.names import is_in_torch
from tools.op_table.recipes import recipe_calls
from tools.op_table.seeds import set_seed

if TYPE_CHECKING:
    import torch
    from torch.testing._internal.opinfo.core import OpInfo, SampleInput

SAMPLES = 40
_SEED_OF_SAMPLES = 1234
"""As torch's own tests draw them."""

_OTHER_ORDER = ("nn.functional.embedding", "nn.functional.embedding_bag")
"""Entries that are called through a wrapper with the arguments in another order."""


def example_calls() -> dict[str, list[Call]]:
    """Return example calls by public name."""
    found: dict[str, list[Call]] = {}
    for call in (*recipe_calls(), *database_calls()):
        found.setdefault(call.name, []).append(call)
    return found


def database_calls(limit: int = SAMPLES) -> Iterator[Call]:
    """Return the samples of the op database under every public name they are valid for."""
    from torch.testing._internal.common_methods_invocations import op_db

    for op in op_db:
        if op.name.startswith("masked.") or op.name in _OTHER_ORDER:
            continue
        names = [op.name, *(alias.name for alias in op.aliases)]
        samples = list(islice(samples_of(op), limit))
        for name in names:
            for public in (f"torch.{name}", f"torch.Tensor.{name}", f"torch.{name}_", f"torch.Tensor.{name}_"):
                if is_in_torch(public):
                    yield from (Call(public, (s.input, *s.args), s.kwargs) for s in samples)


def samples_of(op: OpInfo) -> Iterator[SampleInput]:
    """Return the samples of one entry, for the first type it takes; none if they cannot be made here."""
    import torch

    kinds = op.supported_dtypes("cpu")
    wanted = (torch.float32, torch.float64, torch.complex64, torch.int64, torch.bool)
    dtype = next((kind for kind in wanted if kind in kinds), None)
    if dtype is None:
        return
    set_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(Exception):  # a sample generator may need what this machine lacks
            yield from draw_samples(op, dtype)


def draw_samples(op: OpInfo, dtype: torch.dtype) -> Iterator[SampleInput]:
    """Return what `op.sample_inputs` gives, several times faster.

    torch's wrapper looks for the unit test that it runs in, through the source of every caller, before each op.
    """
    samples = iter(op.sample_inputs_func(op, "cpu", dtype, False))
    while True:
        set_seed(_SEED_OF_SAMPLES)
        try:
            sample = next(samples)
        except StopIteration:
            return
        yield sample
