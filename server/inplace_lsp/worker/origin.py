"""Where an exception comes from: from torch itself, or from code that merely says what torch would."""

from __future__ import annotations

import dis
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import torch

from inplace_lsp.worker.words import describe

_TORCH = os.path.dirname(torch.__file__) + os.sep
_OURS = "inplace_lsp."
_RAISED_BY_PYTHON = ("RAISE_VARARGS", "RERAISE")
_THROWN_INTO_A_GENERATOR = ("YIELD_VALUE", "YIELD_FROM", "SEND", "RESUME", "GEN_START", "RETURN_GENERATOR")
_RAISING = {dis.opmap[name] for name in (*_RAISED_BY_PYTHON, *_THROWN_INTO_A_GENERATOR) if name in dis.opmap}
_CHAIN = 20
_PLACES = 64


def describe_origin(error: BaseException, filename: str, rows: tuple[int, int]) -> dict[str, Any] | None:
    """Tell what torch itself raised, and where: None if neither `error` nor what led to it is torch's.

    `within`: it went through code of `filename` that is defined between the `rows`. `inside`: it was torch's own
    code that called what raised it, as that of `backward` does.
    """
    own = next((one for one in _chain(error) if is_of_torch(one)), None)
    if own is None:
        return None
    steps = list(_steps(own.__traceback__))
    within = any(
        one.tb_frame.f_code.co_filename == filename and rows[0] <= one.tb_frame.f_code.co_firstlineno <= rows[1]
        for one in steps
    )
    places = [[one.tb_frame.f_code.co_filename, one.tb_lineno] for one in steps]
    return {"error": describe(own), "within": within, "inside": _is_inside(steps), "places": places[-_PLACES:]}


def _is_inside(steps: list[TracebackType]) -> bool:
    """Whether the last code on the way is torch's, but for ours, which stands between torch and its engine."""
    frames = (one.tb_frame for one in reversed(steps))
    others = (one for one in frames if not str(one.f_globals.get("__name__")).startswith(_OURS))
    last = next(others, None)
    return last is not None and last.f_code.co_filename.startswith(_TORCH)


def is_of_torch(error: BaseException) -> bool:
    """Whether torch may have raised `error`: in C++, where no Python statement does. What its Python code raises of all
    that is told about hazards is in words of others (`torch._check`)."""
    if type(error) is not RuntimeError:
        return False
    steps = list(_steps(error.__traceback__))
    if not steps:
        return False
    last = steps[-1]
    return last.tb_frame.f_code.co_code[last.tb_lasti] not in _RAISING


def _chain(error: BaseException) -> Iterator[BaseException]:
    """`error`, what caused it, and what was being handled when it was raised."""
    one: BaseException | None = error
    for _ in range(_CHAIN):
        if one is None:
            return
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _steps(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next
