"""The definition to verify, in its module: what is to be called, and on what."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from itertools import islice
from types import ModuleType
from typing import Any

import torch

from inplace_lsp.worker.arguments import BadInputError, moved, value

LOCALS = ".<locals>."
_ITEMS = 1000
"""So many results of a generator are taken."""


def outermost(target: str) -> str:
    """The function to run for `target`: itself, or for a nested one the function round it."""
    return target.split(LOCALS, maxsplit=1)[0]


def callable_of(
    module: ModuleType, path: str, receiver: str | None, names: dict[str, Any], device: str
) -> Callable[..., Any]:
    """What a caller would call to run the definition `path` of `module`. Raises BadInputError."""
    *owners, last = path.split(".")
    owner: Any = module
    for name in owners:
        owner = _member(owner, name, module)
    raw = _member(owner, last, module)
    if owner is module:
        return _callable(raw, path)
    static = inspect.getattr_static(owner, last)
    if isinstance(static, (staticmethod, classmethod)):
        return _callable(raw, path)
    if last in ("__init__", "__new__"):
        return _callable(owner, path)
    if receiver is None:
        raise BadInputError(f"{path} is a method, and there is no instance to call it on")
    made = moved(value("self", receiver, names), device)
    if last == "forward" and isinstance(made, torch.nn.Module):
        return _callable(made, path)  # with its hooks, as a caller runs it
    if isinstance(static, property):
        return lambda: getattr(made, last)
    return _callable(getattr(made, last), path)


def finished(result: Any) -> Any:
    """What a caller gets in the end: a coroutine is run, a generator run through."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    if inspect.isgenerator(result):
        return list(islice(result, _ITEMS))
    return result


def inner_function(result: Any, target: str) -> Callable[..., Any] | None:
    """The function `target` if an outer one has returned it, alone or among others."""
    options = result.values() if isinstance(result, dict) else result if isinstance(result, (list, tuple)) else [result]
    return next((one for one in options if callable(one) and getattr(one, "__qualname__", "") == target), None)


def parameters_of(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `given` that `function` takes by name."""
    try:
        taken = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return dict(given)
    return {name: one for name, one in given.items() if name.lstrip("*") in taken}


def _member(owner: Any, name: str, module: ModuleType) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        where = module.__name__ if owner is module else getattr(owner, "__qualname__", "its class")
        raise BadInputError(f"{where} has no {name!r} after its file was run") from None


def _callable(found: Any, path: str) -> Callable[..., Any]:
    if not callable(found):
        raise BadInputError(f"{path} is a {type(found).__name__}, which cannot be called")
    function: Callable[..., Any] = found
    return function
