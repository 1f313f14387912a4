"""Model builtins about numbers and texts, and those without effect on gradients."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import operators
from inplace_lsp.interpret.state.values import NONE, Bound, Items, Known, Number, Tensor, Value

_OUTPUT = "what is printed is for readers"
_PLACE = "what is in a file is not known"


@intrinsic("builtins.abs(x, /)")
def _take_absolute_value(machine: Machine, x: Value) -> Value:
    return machine.call(Bound(x, "abs"), [], {}) if isinstance(x, Tensor) else _convert_number(x, abs)


@intrinsic("builtins.round(number, ndigits=None)", ndigits="digits matter to no tensor")
def _round_number(machine: Machine, number: Value) -> Value:
    return (
        machine.call(Bound(number, "round"), [], {}) if isinstance(number, Tensor) else _convert_number(number, round)
    )


@intrinsic("builtins.int(x=0, /, base=10)", base="a text is no number that is followed")
def _make_integer(machine: Machine, x: Value) -> Value:
    return _convert_number(x, int)


@intrinsic("builtins.float(x=0.0, /)")
def _make_float(machine: Machine, x: Value) -> Value:
    if isinstance(x, Known) and isinstance(x.value, str):
        with contextlib.suppress(ValueError):
            return Known(float(x.value))
    return _convert_number(x, float)


def _convert_number(value: Value, convert: Callable[[float], object]) -> Value:
    if isinstance(value, Known) and isinstance(value.value, (int, float)):
        try:
            return Known(convert(value.value))
        except (ValueError, OverflowError):  # `int(inf)`
            return Number()
    return value if isinstance(value, Number) else Number()


@intrinsic("builtins.pow(base, exp, mod=None)", mod="there is none for tensors")
def _raise_to_power(machine: Machine, base: Value, exp: Value, text: str) -> Value:
    return operators.apply_binary(machine, "**", base, exp, text)


@intrinsic("builtins.divmod(x, y, /)")
def _divide_with_rest(machine: Machine, x: Value, y: Value, text: str) -> Value:
    return Items("tuple", [operators.apply_binary(machine, op, x, y, text) for op in ("//", "%")])


@intrinsic("builtins.bool(object=False, /)")
def _decide_truth(machine: Machine, object: Value) -> Value:
    return Known(machine.decide_truth(object))


@intrinsic("builtins.str(object='', encoding='utf-8', errors='strict')", encoding=_PLACE, errors=_PLACE)
def _make_text(machine: Machine, object: Value, text: str) -> Value:
    return Known(str(object.value)) if isinstance(object, Known) else machine.make_unknown(text or "string")


@intrinsic(
    "builtins.print(*args, sep=' ', end='\\n', file=None, flush=False)",
    args=_OUTPUT,
    sep=_OUTPUT,
    end=_OUTPUT,
    file=_OUTPUT,
    flush=_OUTPUT,
)
def _print_nothing(machine: Machine) -> Value:
    return NONE


@intrinsic(
    "builtins.open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None)",
    file=_PLACE,
    mode=_PLACE,
    buffering=_PLACE,
    encoding=_PLACE,
    errors=_PLACE,
    newline=_PLACE,
    closefd=_PLACE,
    opener=_PLACE,
)
def _open_file(machine: Machine) -> Value:
    return NONE
