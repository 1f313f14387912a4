"""The arguments of a verify job: expressions, evaluated where the target's own module would evaluate them."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType, ModuleType

import torch

from inplace_lsp.worker.safe_text import describe_error


class BadInputError(Exception):
    """An input could not be made; the message says which and why."""


def expression_names(module: ModuleType) -> Mapping[str, object]:
    """Return the names that an expression may use: those of the module, `torch` and `nn`. Torch's own names are added
    as needed."""
    return {"torch": torch, "nn": torch.nn, **vars(module)}


def evaluate_inputs(expressions: Mapping[str, str], names: Mapping[str, object], device: str) -> Mapping[str, object]:
    """Return the value of every expression, on `device`; later ones may use earlier ones by their names."""
    made: Mapping[str, object] = {}
    for name, text in expressions.items():
        made = {**made, name: move_to_device(evaluate_expression(name, text, {**names, **made}), device)}
    return made


def evaluate_expression(name: str, text: str, names: Mapping[str, object]) -> object:
    """Return the value of an expression. A name that neither `names` nor Python knows is looked up in torch. Raises
    BadInputError."""
    try:
        code = compile(text.strip(), f"<{name}>", "eval", dont_inherit=True)
        return eval(code, {**_find_torch_names(code), **names})
    except Exception as error:
        raise BadInputError(f"{name} = {text}: {describe_error(error)}") from error


def _find_torch_names(code: CodeType) -> Mapping[str, object]:
    """Return torch's objects for the names used in `code`. Only these: touching every name of torch would copy more
    pages of a forked process than its run does."""
    wanted = (name for name in _names_in(code) if not name.startswith("_") and not hasattr(builtins, name))
    return {name: getattr(torch, name) for name in wanted if hasattr(torch, name)}


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


def move_to_device(made: object, device: str) -> object:
    """Return `made` with its tensors on `device`; a leaf stays a leaf. On the CPU nothing changes."""
    if device in ("cpu", "meta"):
        return made
    if isinstance(made, torch.nn.Module):
        return made.to(device)
    if isinstance(made, torch.Tensor):
        there = made.device.type == torch.device(device).type
        return made if there else made.detach().to(device).requires_grad_(made.requires_grad)
    if isinstance(made, (list, tuple)) and not hasattr(made, "_fields"):
        return type(made)(move_to_device(item, device) for item in made)
    if type(made) is dict:
        return {key: move_to_device(item, device) for key, item in made.items()}
    return made


def bind_arguments(
    function: Callable[..., object], given: Mapping[str, object]
) -> tuple[tuple[object, ...], Mapping[str, object]]:
    """Return the positional and keyword arguments that pass `given` (with `*args`, `**kwargs`) to `function`."""
    rest = next((argument for name, argument in given.items() if _count_stars(name) == 1), ())
    named = {name: argument for name, argument in given.items() if not _count_stars(name)}
    extra = next((argument for name, argument in given.items() if _count_stars(name) == 2), {})
    positional = []
    for name in _positional_names(function):
        if name not in named:
            break
        positional.append(named.pop(name))
    return _join_arguments(positional, rest, named, extra)


def _join_arguments(
    positional: Sequence[object], rest: object, named: Mapping[str, object], extra: object
) -> tuple[tuple[object, ...], Mapping[str, object]]:
    """Join the arguments to those behind `*` and `**`. Raises BadInputError for others than those can be."""
    if not isinstance(rest, Iterable) or not isinstance(extra, Mapping):
        raise BadInputError("an argument after * must be a sequence, and one after ** a mapping")
    return (*positional, *rest), {**named, **extra}


def _count_stars(name: str) -> int:
    return len(name) - len(name.lstrip("*"))


def _positional_names(function: Callable[..., object]) -> list[str]:
    """Return the names of the parameters that may be passed by position, in order."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
