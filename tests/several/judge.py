"""What torch raises in a program, caught or not: the rows, in order."""

from __future__ import annotations

import contextlib
import io
import sys
from types import FrameType
from typing import Any

FILE = "/several.py"


def raised_rows(text: str) -> list[int]:
    """Run a program under torch without any hooks; return the rows on which a RuntimeError was raised."""
    rows: list[int] = []
    seen: set[int] = set()

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != FILE:
            return None
        if event == "exception" and issubclass(arg[0], RuntimeError) and id(arg[1]) not in seen:
            seen.add(id(arg[1]))
            kept.append(arg[1])
            rows.append(frame.f_lineno)
        return trace

    kept: list[BaseException] = []
    code = compile(text, FILE, "exec")
    sys.settrace(trace)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(RuntimeError):
            exec(code, {"__name__": "__main__"})
    finally:
        sys.settrace(None)
    return rows
