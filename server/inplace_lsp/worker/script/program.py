"""Runs a script as Python itself would: as `__main__`, with its arguments, its exit status and its traceback."""

from __future__ import annotations

import importlib.machinery
import os
import runpy
import sys
import threading
import types
from collections.abc import Callable
from types import TracebackType

from torch import overrides

OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def script(path: str, arguments: list[str]) -> Callable[[], None]:
    """What runs the file `path` (or a folder or archive with a `__main__.py`)."""
    sys.argv = [path, *arguments]
    if os.path.isdir(path) or not os.path.exists(path) or path.endswith((".zip", ".pyz")):
        return lambda: _discard(runpy.run_path(path, run_name="__main__"))
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    main = types.ModuleType("__main__")
    filename = os.path.abspath(path)
    main.__file__ = filename
    main.__loader__ = importlib.machinery.SourceFileLoader("__main__", filename)
    main.__dict__["__builtins__"] = __builtins__
    main.__dict__["__cached__"] = None

    def run() -> None:
        with open(filename, "rb") as file:
            code = compile(file.read(), filename, "exec", dont_inherit=True)
        sys.modules["__main__"] = main
        exec(code, main.__dict__)

    return run


def module(name: str, arguments: list[str]) -> Callable[[], None]:
    """What runs the module `name`, as `python -m` does."""
    sys.argv = [name, *arguments]
    _set_first_path(os.getcwd())
    return lambda: _discard(runpy.run_module(name, run_name="__main__", alter_sys=True))


def was_not_found(error: BaseException) -> bool:
    """Whether there was no such module, or no `__main__` in it: an import failed before any code of the program ran."""
    return isinstance(error, ImportError) and without_us(error.__traceback__) is None


def report(error: BaseException) -> None:
    """Show an exception that ended the program, as Python does but without the frames of this program."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = without_us(one.__traceback__)
            waiting += [one.__cause__, one.__context__]
    sys.excepthook(type(error), error, error.__traceback__)


def report_of_threads() -> None:
    """The same for an exception that ended a thread."""
    plain = threading.excepthook

    def hook(given: threading.ExceptHookArgs) -> None:
        one = without_us(given.exc_traceback)
        plain(threading.ExceptHookArgs((given.exc_type, given.exc_value, one, given.thread)))

    threading.excepthook = hook


def without_us(trace: TracebackType | None) -> TracebackType | None:
    """`trace` without our own frames and those that are there only because of us."""
    traces: list[TracebackType] = []
    while trace is not None:
        if _is_ours(trace):
            _drop_detour(traces, trace.tb_next)
        else:
            traces.append(trace)
        trace = trace.tb_next
    for one, following in zip(traces, [*traces[1:], None], strict=bool(traces)):
        one.tb_next = following
    return traces[0] if traces else None


def _drop_detour(before: list[TracebackType], after: TracebackType | None) -> None:
    """A Python function of torch that finds a mode has it call the function again: keep the second call only."""
    if before and before[-1].tb_frame.f_code.co_filename == overrides.__file__:
        before.pop()
        if before and after is not None and before[-1].tb_frame.f_code is after.tb_frame.f_code:
            before.pop()


def _is_ours(trace: TracebackType) -> bool:
    name = trace.tb_frame.f_code.co_filename
    return name.startswith(OURS + os.sep) or name in ("<frozen runpy>", runpy.__file__)


def _set_first_path(folder: str) -> None:
    """Python puts the script's folder in front, unless told to be safe; there now is the folder of our start file."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _discard(_names: object) -> None:
    """The names a module leaves behind are of no use to us."""
