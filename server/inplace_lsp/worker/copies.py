"""Copies of a function's inputs, so that two runs start from the same state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import TypeVar

import torch

from inplace_lsp.worker.recording import tensors_in

T = TypeVar("T")


Call = tuple[Callable[..., object], tuple[object, ...], Mapping[str, object]]
"""A function, its arguments and its keyword arguments."""


def copy_inputs(
    given: Call,
) -> Call:
    """Copy a function (with the object of a bound method, or a module), its arguments and its keyword arguments.

    Tensors that came out of a computation cannot be copied with their history: they become leaves.
    """
    function, args, kwargs = given
    memo: dict[int, object] = {}
    for tensor in tensors_in((args, kwargs)):
        if not tensor.is_leaf:
            memo[id(tensor)] = tensor.detach().clone().requires_grad_(tensor.requires_grad)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, torch.nn.Module):
        function = getattr(copy.deepcopy(owner, memo), str(getattr(function, "__name__", "forward")))
    elif isinstance(function, torch.nn.Module):
        function = copy.deepcopy(function, memo)
    return function, copy.deepcopy(args, memo), copy.deepcopy(kwargs, memo)
