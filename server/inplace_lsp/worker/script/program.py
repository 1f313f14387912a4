"""Runs a script as Python itself would: as `__main__`, with its arguments, its exit status and its traceback."""

from __future__ import annotations

import importlib.machinery
import os
import runpy
import sys
import types
from collections.abc import Callable

from inplace_lsp.worker.script.own_frames import clean_tracebacks, without_own_frames


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


def _set_first_path(folder: str) -> None:
    """Replace our start file's folder on the path by the script's, which Python puts first unless it runs
    in safe-path mode."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _discard_names(_names: object) -> None:
    """Discard the names that a module leaves behind."""
