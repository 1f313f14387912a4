"""The origin of an exception: torch itself, or code that merely uses torch's words."""

from __future__ import annotations

import dis
import linecache
import os
from collections.abc import Iterator
from types import TracebackType

import torch

from inplace_lsp.messages.answers import FailedAt, Raised
from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.standins import is_of_project

_TORCH = os.path.dirname(torch.__file__) + os.sep
_OURS = "inplace_lsp."
_RAISED_BY_PYTHON = ("RAISE_VARARGS", "RERAISE")
_THROWN_INTO_A_GENERATOR = ("YIELD_VALUE", "YIELD_FROM", "SEND", "RESUME", "GEN_START", "RETURN_GENERATOR")
_RAISING = {dis.opmap[name] for name in (*_RAISED_BY_PYTHON, *_THROWN_INTO_A_GENERATOR) if name in dis.opmap}
_CHAIN = 20
_PLACES = 64


def describe_origin(error: BaseException, filename: str, rows: tuple[int, int]) -> Raised | None:
    """Describe the exception that torch itself raised, and where. None if neither `error` nor its causes are torch's.

    `within`: it went through code of `filename` that is defined between the `rows`. `inside`: it was torch's own
    code that called what raised it, as that of `backward` does.
    """
    own = next((cause for cause in _exception_chain(error) if is_of_torch(cause)), None)
    if own is None:
        return None
    steps = list(_traceback_entries(own.__traceback__))
    within = any(
        step.tb_frame.f_code.co_filename == filename and rows[0] <= step.tb_frame.f_code.co_firstlineno <= rows[1]
        for step in steps
    )
    places = tuple((step.tb_frame.f_code.co_filename, step.tb_lineno) for step in steps[-_PLACES:])
    return Raised(describe_error(own), within, entered=within, inside=_is_inside(steps), places=places)


def find_failed_line(error: BaseException, filename: str, rows: tuple[int, int]) -> FailedAt | None:
    """Return the innermost line of the project that an exception went through; if it is our own and went through none,
    that of its cause. `filename` and `rows` are those of the target."""
    steps = _list_steps_of_user(error) or _list_steps_of_user(error.__cause__)
    if not steps:
        return None
    last = steps[-1]
    file, row = last.tb_frame.f_code.co_filename, last.tb_lineno
    led = [
        step.tb_lineno
        for step in steps[:-1]
        if step.tb_frame.f_code.co_filename == filename and rows[0] <= step.tb_lineno <= rows[1]
    ]
    inside = file == filename and rows[0] <= row <= rows[1]
    text = " ".join(linecache.getline(file, row).split())
    return FailedAt(file, row, text, 0 if inside or not led else led[-1])


def _list_steps_of_user(error: BaseException | None) -> list[TracebackType]:
    entries = _traceback_entries(error.__traceback__) if error is not None else ()
    return [step for step in entries if _is_of_user(step)]


def _is_of_user(step: TracebackType) -> bool:
    """Return whether a step of a traceback is in a file of the user's project."""
    file = step.tb_frame.f_code.co_filename
    ours = str(step.tb_frame.f_globals.get("__name__")).startswith(_OURS)
    return os.path.isabs(file) and is_of_project(file) and not ours


def _is_inside(steps: list[TracebackType]) -> bool:
    """Return whether the innermost code is torch's, apart from our own code between torch and its engine."""
    frames = (step.tb_frame for step in reversed(steps))
    others = (frame for frame in frames if not str(frame.f_globals.get("__name__")).startswith(_OURS))
    last = next(others, None)
    return last is not None and last.f_code.co_filename.startswith(_TORCH)


def is_of_torch(error: BaseException) -> bool:
    """Return whether torch may have raised `error`: from C++, not from a Python statement. The hazards' errors that its
    Python code raises come from elsewhere (`torch._check`)."""
    if type(error) not in (RuntimeError, NotImplementedError):
        return False
    steps = list(_traceback_entries(error.__traceback__))
    if not steps:
        return False
    last = steps[-1]
    return last.tb_frame.f_code.co_code[last.tb_lasti] not in _RAISING


def _exception_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield `error`, its cause, and the exception that was being handled when it was raised."""
    current: BaseException | None = error
    for _ in range(_CHAIN):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _traceback_entries(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next
