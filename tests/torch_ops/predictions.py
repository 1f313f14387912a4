"""What the table says about one call: would writing this tensor afterwards break backward?"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.table import find_overloads
from tools.op_table.binding import Call, bind_call


def overload_of(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Overload, dict[str, Any]] | None:
    """The overload that the call takes, as the interpreter chooses it, and its arguments by parameter."""
    return choose(find_overloads(name), args, kwargs)


def choose(
    overloads: Sequence[Overload], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Overload, dict[str, Any]] | None:
    """The first overload whose parameters take the arguments and whose constants are theirs."""
    for overload in overloads:
        bound = bind_call(overload.params, Call(overload.name, args, kwargs))
        if bound is not None and _given(overload, bound):
            return overload, bound
    return None


def _given(overload: Overload, bound: Mapping[str, Any]) -> bool:
    defaults = {param.name: param.default for param in overload.params}
    for name, wanted in overload.given:
        value = bound[name] if name in bound else _literal(defaults.get(name))
        if isinstance(value, bool) != isinstance(wanted, bool) or value != wanted:
            return False
    return True


def _literal(text: str | None) -> object:
    try:
        return ast.literal_eval(text) if text is not None else NotImplemented
    except (ValueError, SyntaxError):
        return NotImplemented


def saved(overload: Overload, role: str, requiring: frozenset[str]) -> bool:
    """Whether the op keeps `role` when `requiring` require grad."""
    return any(save.role == role and save.when & requiring for save in overload.saves)


def output_role(overload: Overload, index: int) -> str:
    """The role of the output of that index."""
    return "result" if overload.returns < 0 or index == 0 else f"result{index}"
