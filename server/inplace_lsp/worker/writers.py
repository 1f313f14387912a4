"""Writers that raise no audit event, brought to the wall before they write: torch's in C++, and some of Python's."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inplace_lsp.worker.wall import WRITE, WRITING, Wall


@dataclass(frozen=True)
class Writer:
    """A function by its place. `at` is the position of the file's name, `name` its keyword; without `flag` among the
    arguments (its position and keyword) it only reads."""

    owner: str
    function: str
    at: int
    name: str
    flag: tuple[int, str] | None = None

    def path(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The name of the file that a call writes to; None if it writes to none."""
        if self.flag is not None:
            at, name = self.flag
            if (arguments[at] if at < len(arguments) else named.get(name)) in (None, False, "r"):
                return None
        return arguments[self.at] if self.at < len(arguments) else named.get(self.name)


WRITERS = (
    Writer("torch._C.PyTorchFileWriter", "__init__", 1, "file_name"),
    Writer("torch._C.ScriptModule", "save", 1, "filename"),
    Writer("torch._C.ScriptModule", "_save_for_mobile", 1, "filename"),
    Writer("torch._C", "_save_parameters", 1, "filename"),
    Writer("torch._C", "_save_mobile_module", 1, "filename"),
    Writer("torch._C", "_save_jit_module", 1, "filename"),
    Writer("torch._C._autograd._ProfilerResult", "save", 1, "filename"),
    Writer("torch._C._profiler", "_add_execution_trace_observer", 0, "output_file_path"),
    Writer("torch.profiler.profiler", "_add_execution_trace_observer", 0, "output_file_path"),
    Writer("torch._C._distributed_c10d.FileStore", "__init__", 1, "file_name"),
    Writer("torch", "from_file", 0, "filename", flag=(1, "shared")),
    Writer("torch.UntypedStorage", "from_file", 0, "filename", flag=(1, "shared")),
    Writer("_dbm", "open", 0, "filename", flag=(1, "flags")),
    Writer("_gdbm", "open", 0, "filename", flag=(1, "flags")),
)

DATABASES = ("sqlite3", "sqlite3.dbapi2")
SHARED = "_posixshmem"


@dataclass
class _Run:
    """The run that this process is; none in the worker, from which runs are forked."""

    wall: Wall | None = None
    made: Callable[[str], None] | None = None


_run = _Run()


def bring_to(wall: Wall, made: Callable[[str], None]) -> None:
    """Ask `wall` before every such write from now on. `made` is told the name of shared memory that is made."""
    stand_by()
    _run.wall, _run.made = wall, made


@functools.cache
def stand_by() -> None:
    """Put something round all these functions, once for all runs; until there is one, it does nothing."""
    for writer in WRITERS:
        _put(_found(writer.owner), writer.function, functools.partial(_judged, writer))
    _put(os, "open", _judged_open)
    for name in ("mkfifo", "mknod"):
        _put(os, name, functools.partial(_judged_name, f"os.{name}"))
    for module in DATABASES:
        _put(_found(module), "connect", _authorized)
    _put(_found(SHARED), "shm_open", _told)


def _found(owner: str) -> Any:
    """The module or class of that name; None if there is none, or not without an import that takes long."""
    module, _, rest = owner.partition(".")
    try:
        found = importlib.import_module(module)
        for part in filter(None, rest.split(".")):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def _put(owner: Any, name: str, round_it: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put something round the function `name` of `owner`, if there is such a function."""
    plain = getattr(owner, name, None)
    if plain is None:
        return
    around = round_it(plain)
    functools.update_wrapper(around, plain)
    is_static = isinstance(owner, type) and isinstance(owner.__dict__.get(name), (staticmethod, type(None)))
    setattr(owner, name, staticmethod(around) if is_static and name != "__init__" else around)
    if owner is os and plain in os.supports_dir_fd:
        os.supports_dir_fd.add(around)


def _judged(writer: Writer, plain: Callable[..., Any]) -> Callable[..., Any]:
    def around(*arguments: Any, **named: Any) -> Any:
        if _run.wall is not None:
            path = writer.path(arguments, named)
            if isinstance(path, (str, bytes, os.PathLike)):
                _run.wall.judge_file(path)
        return plain(*arguments, **named)

    return around


def _judged_open(plain: Callable[..., int]) -> Callable[..., int]:
    """`os.open`, whose audit event does not tell the folder that a relative path starts from."""

    def around(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if _run.wall is not None and dir_fd is not None and flags & WRITING:
            _run.wall.judge_file(path, dir_fd)
        return plain(path, flags, mode, dir_fd=dir_fd)

    return around


def _judged_name(event: str, plain: Callable[..., None]) -> Callable[..., None]:
    def around(path: Any, *rest: Any, dir_fd: int | None = None, **named: Any) -> None:
        if _run.wall is not None:
            _run.wall.judge(event, (path, dir_fd))
        plain(path, *rest, dir_fd=dir_fd, **named)

    return around


def _authorized(plain: Callable[..., Any]) -> Callable[..., Any]:
    """`sqlite3.connect`, whose connections open other files by themselves (ATTACH, VACUUM INTO)."""

    def around(*arguments: Any, **named: Any) -> Any:
        connection = plain(*arguments, **named)
        if _run.wall is not None and not _run.wall.allows(WRITE):
            connection.set_authorizer(_run.wall.authorize)
        return connection

    return around


def _told(plain: Callable[..., int]) -> Callable[..., int]:
    def around(path: str, flags: int, mode: int = 0o777) -> int:
        descriptor = plain(path, flags, mode)
        if _run.made is not None and flags & os.O_CREAT:
            _run.made(path)
        return descriptor

    return around
