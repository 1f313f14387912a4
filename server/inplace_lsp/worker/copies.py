"""Copies of a function's inputs, so that two runs start from the same state."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import torch

from inplace_lsp.worker.recording import tensors_in

T = TypeVar("T")


def copy_inputs(given: tuple[Any, tuple[Any, ...], dict[str, Any]]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Copy a function (with the object of a bound method, or a module), its arguments and its keyword arguments.

    Tensors that came out of a computation cannot be copied with their history: they become leaves.
    """
    function, args, kwargs = given
    memo: dict[int, Any] = {}
    for tensor in tensors_in((args, kwargs)):
        if not tensor.is_leaf:
            memo[id(tensor)] = tensor.detach().clone().requires_grad_(tensor.requires_grad)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, torch.nn.Module):
        function = getattr(copy.deepcopy(owner, memo), function.__name__)
    elif isinstance(function, torch.nn.Module):
        function = copy.deepcopy(function, memo)
    return function, copy.deepcopy(args, memo), copy.deepcopy(kwargs, memo)
