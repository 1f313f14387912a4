"""Check writers that raise no audit event before they write: torch's in C++, and some of Python's."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from inplace_lsp.worker.sandbox import WRITE, WRITING, Sandbox


@dataclass(frozen=True)
class Writer:
    """A function by its place. `at` is the position of the file's name, `name` its keyword; without `flag` among the
    arguments (its position and keyword) it only reads."""

    owner: str
    function: str
    at: int
    name: str
    flag: tuple[int, str] | None = None

    def written_path(self, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        """Return the name of the file that a call writes to; None if it writes to none."""
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

Returned = TypeVar("Returned")

DATABASES = ("sqlite3", "sqlite3.dbapi2")
SHARED = "_posixshmem"


class Connection(Protocol):
    """A connection to a database; `sqlite3` itself is loaded by those who use it."""

    def set_authorizer(self, authorizer: Callable[..., int], /) -> None:
        """Have `authorizer` asked about every access."""


@dataclass
class _CurrentRun:
    """The run that this process is; none in the worker, from which runs are forked."""

    sandbox: Sandbox | None = None
    made: Callable[[str], None] | None = None


_run = _CurrentRun()


def report_writes_to(sandbox: Sandbox, made: Callable[[str], None]) -> None:
    """Ask `sandbox` before every such write from now on. `made` gets the name of each new shared memory."""
    wrap_writers()
    _run.sandbox, _run.made = sandbox, made


@functools.cache
def wrap_writers() -> None:
    """Wrap all these functions, once for all runs; the wrappers do nothing until a run sets its sandbox."""
    for writer in WRITERS:
        _wrap_function(_find_owner(writer.owner), writer.function, functools.partial(_check_writer, writer))
    _wrap_function(os, "open", _check_open)
    for name in ("mkfifo", "mknod"):
        _wrap_function(os, name, functools.partial(_check_name, f"os.{name}"))
    for module in DATABASES:
        _wrap_function(_find_owner(module), "connect", _authorize_connection)
    _wrap_function(_find_owner(SHARED), "shm_open", _report_shared_memory)


def _find_owner(owner: str) -> object:
    """Return the module or class of that name; None if there is none, or only after an import that takes long."""
    module, _, rest = owner.partition(".")
    try:
        found = importlib.import_module(module)
        for part in filter(None, rest.split(".")):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def _wrap_function(
    owner: object, name: str, round_it: Callable[[Callable[..., Returned]], Callable[..., Returned]]
) -> None:
    """Wrap the function `name` of `owner`, if there is such a function."""
    plain = getattr(owner, name, None)
    if plain is None:
        return
    around = round_it(plain)
    functools.update_wrapper(around, plain)
    is_static = isinstance(owner, type) and isinstance(owner.__dict__.get(name), (staticmethod, type(None)))
    setattr(owner, name, staticmethod(around) if is_static and name != "__init__" else around)
    if owner is os and plain in os.supports_dir_fd:
        os.supports_dir_fd.add(around)


def _check_writer(writer: Writer, plain: Callable[..., object]) -> Callable[..., object]:
    def call_checked(*arguments: object, **named: object) -> object:
        if _run.sandbox is not None:
            path = writer.written_path(arguments, named)
            if isinstance(path, (str, bytes, os.PathLike)):
                _run.sandbox.check_file_write(path)
        return plain(*arguments, **named)

    return call_checked


def _check_open(plain: Callable[..., object]) -> Callable[..., object]:
    """Wrap `os.open`, whose audit event does not tell the folder that a relative path starts from."""

    def open_checked(path: object, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> object:
        if _run.sandbox is not None and dir_fd is not None and flags & WRITING:
            _run.sandbox.check_file_write(path, dir_fd)
        return plain(path, flags, mode, dir_fd=dir_fd)

    return open_checked


def _check_name(event: str, plain: Callable[..., object]) -> Callable[..., object]:
    def make_checked(path: object, *rest: object, dir_fd: int | None = None, **named: object) -> None:
        if _run.sandbox is not None:
            _run.sandbox.check_event(event, (path, dir_fd))
        plain(path, *rest, dir_fd=dir_fd, **named)

    return make_checked


def _authorize_connection(plain: Callable[..., Connection]) -> Callable[..., Connection]:
    """Wrap `sqlite3.connect`, whose connections open other files by themselves (ATTACH, VACUUM INTO)."""

    def connect_authorized(*arguments: object, **named: object) -> Connection:
        connection = plain(*arguments, **named)
        if _run.sandbox is not None and not _run.sandbox.allows_kind(WRITE):
            connection.set_authorizer(_run.sandbox.authorize_sqlite)
        return connection

    return connect_authorized


def _report_shared_memory(plain: Callable[..., object]) -> Callable[..., object]:
    def open_reported(path: str, flags: int, mode: int = 0o777) -> object:
        descriptor = plain(path, flags, mode)
        if _run.made is not None and flags & os.O_CREAT:
            _run.made(path)
        return descriptor

    return open_reported
