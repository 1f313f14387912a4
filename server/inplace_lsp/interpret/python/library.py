"""Calls into libraries: torch by its op table and the few functions that are no op, Python's builtins, and the rest."""

from __future__ import annotations

from math import ceil

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import builtins, standard_library
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Library,
    Mapped,
    Number,
    Suspended,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.torch_api import modes, modules, optimizers, tensor_methods, torch_functions
from inplace_lsp.interpret.torch_api.tensor_methods import is_true
from inplace_lsp.tape.model import ALWAYS
from inplace_lsp.torch_ops.table import find


def call(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call the library function or class `name`."""
    if name not in builtins.IN_TURNS:
        arguments = [_settled(machine, one) for one in arguments]
    if name.startswith("builtins."):
        return builtins.call(machine, name[9:], arguments, keywords, text)
    if name in torch_functions.FUNCTIONS:
        return torch_functions.FUNCTIONS[name](machine, arguments, keywords, text)
    if modes.is_mode(name):
        return modes.make(machine, name, arguments, keywords)
    if name in modes.CONTEXTS:
        return Library(name)
    if name in modes.AUTOCAST:
        return modes.autocast(arguments, keywords)
    if name.startswith("torch."):
        return _torch(machine, name, arguments, keywords, text)
    return standard_library.call(machine, name, arguments, keywords, text)


def _settled(machine: Machine, value: Value) -> Value:
    """All that a generator gives, for who does not ask for one element after the other."""
    if isinstance(value, Mapped):
        return Items("iterator", list(elements(machine, value)))
    return generators.settled(machine, value) if isinstance(value, Suspended) else value


def _torch(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if optimizers.is_optimizer(name):
        return optimizers.construct(machine, name, arguments, keywords)
    made = modules.construct(machine, name, arguments, keywords)
    if made is not None:
        return made
    if name.startswith("torch.nn.init."):
        return torch_functions.initialise(machine, name, arguments, keywords)
    short = name.rpartition(".")[2]
    if name.startswith("torch.nn.utils.clip_grad_"):
        return torch_functions.clip(machine, arguments, short)
    if name.startswith("torch.Tensor.") and arguments:
        return tensor_methods.call(machine, arguments[0], short, arguments[1:], keywords, text)
    if not find(name):
        return machine.unknown_call(text or name, [*arguments, *keywords.values()])
    result = tensor_methods.torch_call(machine, name, arguments, keywords, text)
    if isinstance(result, Tensor):
        _describe(machine, result, short, arguments, keywords)
    return result


_INTEGER_FACTORIES = frozenset({"randint", "randperm", "arange"})


def _describe(machine: Machine, result: Tensor, short: str, arguments: list[Value], keywords: dict[str, Value]) -> None:
    """What a factory's arguments say of its result: extent, element type, whether it is a leaf that requires grad."""
    if not find(f"torch.{short}") or find(f"torch.{short}")[0].differentiable:
        return
    if is_true(keywords.get("requires_grad", NONE)):
        result.requires_grad = ALWAYS
        machine.gradient_evidence = True
    if short in _FILLED:
        shapes.take(result, _extent(arguments, keywords, short in _AFTER_OTHERS))
    if short in _SEQUENCES:
        shapes.take(result, (_length(short, arguments, keywords),))
    dtype = keywords.get("dtype")
    if isinstance(dtype, Library):
        kind = dtype.name.rpartition(".")[2]
        result.dtype = (
            "float" if "float" in kind or kind in ("half", "double", "bfloat16") or "complex" in kind else kind[:3]
        )
    elif short in _INTEGER_FACTORIES:
        floats = any(isinstance(a, Known) and isinstance(a.value, float) for a in arguments)
        result.dtype = "float" if floats else "int"
    if result.dtype not in ("float", "bool"):
        result.dtype = "int"


_FILLED = frozenset({"zeros", "ones", "empty", "rand", "randn", "full", "randint"})
_AFTER_OTHERS = frozenset({"full", "randint"})
"""Their extents are one argument among others."""
_SEQUENCES = frozenset({"arange", "randperm", "linspace", "logspace"})
"""What has one dimension whatever it is called with: its elements, as indices, select views."""


def _extent(arguments: list[Value], keywords: dict[str, Value], in_one: bool) -> tuple[int | None, ...] | None:
    """The extents given as a tuple or one by one (not `in_one`). A single unknown may be either."""
    given = keywords.get("size", next((a for a in arguments if isinstance(a, Items)), NONE))
    parts = given.items if isinstance(given, Items) else arguments
    one_unknown = len(parts) == 1 and isinstance(parts[0], Unknown) and parts is arguments
    if one_unknown or (in_one and parts is arguments):
        return None
    if any(not isinstance(p, Known | Number | Unknown) for p in parts):
        return None
    return tuple(p.value if isinstance(p, Known) and isinstance(p.value, int) else None for p in parts)


def _length(short: str, arguments: list[Value], keywords: dict[str, Value]) -> int | None:
    """How many elements `arange(...)` or `randperm(n)` has, None where it is not known."""
    bounds = [a.value for a in arguments if isinstance(a, Known) and isinstance(a.value, int | float)]
    named = any(name in keywords for name in ("start", "end", "step", "n", "steps"))
    if short not in ("arange", "randperm") or named or not bounds or len(bounds) != len(arguments):
        return None
    start, end, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds[:2], *bounds[2:], 1)[:3]
    return max(0, ceil((end - start) / step)) if step else None
