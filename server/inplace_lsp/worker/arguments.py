"""The arguments of a verify job: expressions, evaluated where the target's own module would evaluate them."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any

import torch

from inplace_lsp.worker.words import describe


class BadInputError(Exception):
    """An input could not be made; the message says which and why."""


def names_of(module: ModuleType) -> dict[str, Any]:
    """What an expression may use: the names of the module, `torch` and `nn`. Torch's own names are added as needed."""
    return {"torch": torch, "nn": torch.nn, **vars(module)}


def evaluate(expressions: Mapping[str, str], names: dict[str, Any], device: str) -> dict[str, Any]:
    """The value of every expression, on `device`; later ones may use earlier ones by their names."""
    made: dict[str, Any] = {}
    for name, text in expressions.items():
        made[name] = moved(value(name, text, {**names, **made}), device)
    return made


def value(name: str, text: str, names: dict[str, Any]) -> Any:
    """The value of one expression; a name that neither `names` nor Python knows is torch's. Raises BadInputError."""
    try:
        code = compile(text.strip(), f"<{name}>", "eval", dont_inherit=True)
        return eval(code, {**_from_torch(code), **names})
    except Exception as error:
        raise BadInputError(f"{name} = {text}: {describe(error)}") from error


def _from_torch(code: CodeType) -> dict[str, Any]:
    """What torch calls by the names in `code`. Only these: to touch all of torch's names costs a forked process more
    than its run does, in copies of pages."""
    wanted = (name for name in _names_in(code) if not name.startswith("_") and not hasattr(builtins, name))
    return {name: getattr(torch, name) for name in wanted if hasattr(torch, name)}


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


def moved(made: Any, device: str) -> Any:
    """`made` with its tensors on `device`; a leaf stays a leaf. On the CPU everything stays as it is."""
    if device in ("cpu", "meta"):
        return made
    if isinstance(made, torch.nn.Module):
        return made.to(device)
    if isinstance(made, torch.Tensor):
        there = made.device.type == torch.device(device).type
        return made if there else made.detach().to(device).requires_grad_(made.requires_grad)
    if isinstance(made, (list, tuple)) and not hasattr(made, "_fields"):
        return type(made)(moved(one, device) for one in made)
    if type(made) is dict:
        return {key: moved(one, device) for key, one in made.items()}
    return made


def bound(function: Callable[..., Any], given: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and keyword arguments that pass `given` (name -> value, `*args`, `**kwargs`) to `function`."""
    rest = next((tuple(one) for name, one in given.items() if _stars(name) == 1), ())
    named = {name: one for name, one in given.items() if not _stars(name)}
    extra = next((dict(one) for name, one in given.items() if _stars(name) == 2), {})
    positional = []
    for name in _leading(function):
        if name not in named:
            break
        positional.append(named.pop(name))
    return (*positional, *rest), {**named, **extra}


def _stars(name: str) -> int:
    return len(name) - len(name.lstrip("*"))


def _leading(function: Callable[..., Any]) -> list[str]:
    """The parameters that may be given by position, in order."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
