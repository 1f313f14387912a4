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


def prepare_script(path: str, arguments: list[str]) -> Callable[[], None]:
    """Return a function that runs the file `path` (or a folder or archive with a `__main__.py`)."""
    sys.argv = [path, *arguments]
    if os.path.isdir(path) or not os.path.exists(path) or path.endswith((".zip", ".pyz")):
        return lambda: _discard_names(runpy.run_path(path, run_name="__main__"))
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


def prepare_module(name: str, arguments: list[str]) -> Callable[[], None]:
    """Return a function that runs the module `name`, as `python -m` does."""
    sys.argv = [name, *arguments]
    _set_first_path(os.getcwd())
    return lambda: _discard_names(runpy.run_module(name, run_name="__main__", alter_sys=True))


def was_not_found(error: BaseException) -> bool:
    """Return whether there was no such module, or no `__main__` in it: an import failed before any code of the program
    ran."""
    return isinstance(error, ImportError) and without_own_frames(error.__traceback__) is None


def report_error(error: BaseException) -> None:
    """Show an exception that ended the program, as Python does but without the frames of this program."""
    clean_tracebacks(error)
    sys.excepthook(type(error), error, error.__traceback__)


def clean_tracebacks(error: BaseException) -> None:
    """Remove our own frames from the tracebacks of an error and of its causes."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop()
        if current is not None and id(current) not in seen:
            seen.add(id(current))
            current.__traceback__ = without_own_frames(current.__traceback__)
            waiting += [current.__cause__, current.__context__]


def report_thread_errors() -> None:
    """Report an exception that ended a thread in the same way."""
    plain = threading.excepthook

    def hook(given: threading.ExceptHookArgs) -> None:
        trace = without_own_frames(given.exc_traceback)
        plain(threading.ExceptHookArgs((given.exc_type, given.exc_value, trace, given.thread)))

    threading.excepthook = hook


def without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """Return `trace` without our own frames and those that are there only because of us."""
    traces: list[TracebackType] = []
    while trace is not None:
        if _is_ours(trace):
            _drop_detour(traces, trace.tb_next)
        else:
            traces.append(trace)
        trace = trace.tb_next
    for entry, following in zip(traces, [*traces[1:], None], strict=bool(traces)):
        entry.tb_next = following
    return traces[0] if traces else None


def _drop_detour(before: list[TracebackType], after: TracebackType | None) -> None:
    """Drop the first call of a function of torch's Python code: once it finds a mode, the mode calls it again."""
    if before and before[-1].tb_frame.f_code.co_filename == overrides.__file__:
        before.pop()
        if before and after is not None and before[-1].tb_frame.f_code is after.tb_frame.f_code:
            before.pop()


def _is_ours(trace: TracebackType) -> bool:
    name = trace.tb_frame.f_code.co_filename
    return name.startswith(OURS + os.sep) or name in ("<frozen runpy>", runpy.__file__)


def _set_first_path(folder: str) -> None:
    """Replace our start file's folder on the path by the script's, which Python puts first unless told to be safe."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _discard_names(_names: object) -> None:
    """Discard the names that a module leaves behind."""
