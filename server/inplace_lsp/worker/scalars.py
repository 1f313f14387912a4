"""Compute with the standard library what numpy computes of plain numbers, for runs without numpy."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import torch

_NUMPY: dict[str, Callable[..., object]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "power": math.pow,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "abs": abs,
    "absolute": abs,
    "minimum": min,
    "maximum": max,
    "isnan": math.isnan,
    "isinf": math.isinf,
    "float32": float,
    "float64": float,
    "int32": int,
    "int64": int,
}
_OF_SEQUENCES: dict[str, Callable[..., object]] = {"prod": math.prod, "sum": math.fsum, "max": max, "min": min}
_RANDOM: dict[str, Callable[..., object]] = {
    "seed": lambda seed: random.seed(seed) or 0,
    "rand": random.random,
    "random": random.random,
    "randn": lambda: random.gauss(0.0, 1.0),
    "randint": lambda low, high=None: random.randrange(low) if high is None else random.randrange(low, high),
    "uniform": lambda low=0.0, high=1.0: random.uniform(low, high),
    "normal": lambda mean=0.0, deviation=1.0: random.gauss(mean, deviation),
}
_CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}


def numpy_constant(name: str) -> float | None:
    """Return the number that a name of numpy stands for."""
    module, _, word = name.rpartition(".")
    return _CONSTANTS.get(word) if module == "numpy" else None


def compute_numpy(name: str, arguments: tuple[object, ...]) -> object:
    """Return the result of a numpy function for plain numbers or a sequence of them, None if it is not known."""
    module, _, word = name.rpartition(".")
    if module == "numpy.random" and word in _RANDOM and all(map(_is_number, arguments)):
        return _call_or_none(_RANDOM[word], tuple(map(_plain_number, arguments)))
    if module != "numpy" or not arguments:
        return None
    if word in _NUMPY and all(map(_is_number, arguments)):
        return _call_or_none(_NUMPY[word], tuple(map(_plain_number, arguments)))
    first = arguments[0]
    if (
        word in _OF_SEQUENCES
        and len(arguments) == 1
        and isinstance(first, (list, tuple))
        and all(map(_is_number, first))
    ):
        return _call_or_none(_OF_SEQUENCES[word], (list(map(_plain_number, first)),))
    return None


def _call_or_none(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    try:
        return function(*arguments)
    except (ArithmeticError, ValueError, TypeError):
        return None


def _is_number(value: object) -> bool:
    """Return whether numpy would take it for a number, as it does a tensor of one element that requires no grad."""
    if isinstance(value, torch.Tensor):
        return value.dim() == 0 and not value.requires_grad
    return type(value) in (int, float, bool)


def _plain_number(value: object) -> object:
    return value.item() if isinstance(value, torch.Tensor) else value
