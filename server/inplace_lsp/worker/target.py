"""Find the definition to verify in its module: what to call, and on what."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from types import ModuleType

import torch

from inplace_lsp.worker.arguments import BadInputError, evaluate_expression, move_to_device
from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.unfinished import Prepared

LOCALS = ".<locals>."
_ITEMS = 1000
"""Maximum number of results that are taken from a generator."""


def outermost_function(target: str) -> str:
    """Return the function to run for `target`: itself, or the function round a nested one."""
    return target.split(LOCALS, maxsplit=1)[0]


@dataclass
class Receiver:
    """The object to call a method on: what an expression gives, once it is needed."""

    text: str
    names: Mapping[str, object]
    device: str
    _prepared: Prepared | None = None

    def make(self) -> object:
        """Return the object, still without the calls that make it ready. Raises BadInputError."""
        made = evaluate_expression("self", self.text, self.names)
        if not isinstance(made, Prepared):
            return move_to_device(made, self.device)
        self._prepared = Prepared(move_to_device(made.made, self.device), made.calls)
        return self._prepared.made

    def make_ready(self) -> None:
        """Call what makes the object ready. Raises BadInputError."""
        try:
            if self._prepared is not None:
                self._prepared.make_ready()
        except Exception as error:
            raise BadInputError(f"self = {self.text}: {describe_error(error)}") from error


def find_callable(module: ModuleType, path: str, receiver: Receiver | None) -> Callable[..., object]:
    """Return what a caller would call to run the definition `path` of `module`. Raises BadInputError."""
    *owners, last = path.split(".")
    owner: object = module
    for name in owners:
        owner = _find_member(owner, name, module)
    raw = _find_member(owner, last, module)
    if owner is module:
        return _require_callable(raw, path)
    static = inspect.getattr_static(owner, last)
    if isinstance(static, (staticmethod, classmethod)):
        return _require_callable(raw, path)
    if last in ("__init__", "__new__"):
        return _require_callable(owner, path)
    if receiver is None:
        raise BadInputError(f"{path} is a method, and there is no instance to call it on")
    made = receiver.make()
    if last == "forward" and isinstance(made, torch.nn.Module):
        return _require_callable(made, path)  # with its hooks, as a caller runs it
    if isinstance(static, property):
        return lambda: getattr(made, last)
    return _require_callable(getattr(made, last), path)


def finish_result(result: object) -> object:
    """Return what a caller gets in the end: run a coroutine, exhaust a generator."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    if inspect.isgenerator(result):
        return list(islice(result, _ITEMS))
    return result


def inner_function(result: object, target: str) -> Callable[..., object] | None:
    """Return the function `target` if an outer function returned it, alone or among others."""
    options = result.values() if isinstance(result, dict) else result if isinstance(result, (list, tuple)) else [result]
    return next(
        (option for option in options if callable(option) and getattr(option, "__qualname__", "") == target), None
    )


def select_parameters(function: Callable[..., object], given: Mapping[str, object]) -> Mapping[str, object]:
    """Return those of `given` that `function`, or the forward of a module, takes by name."""
    try:
        taken = inspect.signature(function.forward if isinstance(function, torch.nn.Module) else function).parameters
    except (TypeError, ValueError):
        return dict(given)
    return {name: argument for name, argument in given.items() if name.lstrip("*") in taken}


def _find_member(owner: object, name: str, module: ModuleType) -> object:
    try:
        return getattr(owner, name)
    except AttributeError:
        where = module.__name__ if owner is module else getattr(owner, "__qualname__", "its class")
        raise BadInputError(f"{where} has no {name!r} after its file was run") from None


def _require_callable(found: object, path: str) -> Callable[..., object]:
    if not callable(found):
        raise BadInputError(f"{path} is a {type(found).__name__}, which cannot be called")
    function: Callable[..., object] = found
    return function
