"""Hold back a run's writes by the kernel (Linux), which sees what no audit hook sees, such as writers in C.

First choice is a mount namespace in which all is read-only but the run's folder and a `/dev/shm` of its own. Where a
process may not make one, it is Landlock, which stops everything but changes of modes, owners, times and attributes.
Neither needs more than the standard library, nor any privilege.

Besides, where they can be had: namespaces of its own for the network and for System V memory, semaphores and queues,
which end with the run, and no signals to processes outside (Landlock, Linux 6.12 and newer). A run of root's loses
root's capabilities, with which C code gets out of any namespace.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import socket
import struct
import sys
import tempfile
from collections.abc import Iterable, Iterator

from inplace_lsp.worker.safe_text import describe_error

if sys.platform != "win32":
    import fcntl

NAMESPACE = "a mount namespace"
LANDLOCK = "Landlock"
NETWORK_NAMESPACE = "a network namespace"
IPC_NAMESPACE = "an IPC namespace"
SIGNAL_SCOPE = "a scope for signals"

SHARED = "/dev/shm"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/pts", "/dev/ptmx")
_CUDA = ("/dev", "/proc")
"""What a CUDA driver writes to besides: its devices, and the names of its threads."""
_ENTRIES = 256
"""Maximum number of entries of `/dev/shm` that a run sees."""

_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None

_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_SET_FLAGS, _IS_UP = 0x8914, 1
_CLONE_NEWIPC, _CLONE_NEWNET = 0x08000000, 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_BIND, _MS_REC = 2, 4, 4096, 16384
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _RDONLY, _PRIVATE = 442, -100, 0x8000, 1, 1 << 18
_NO_NEW_PRIVS, _CAPABILITY_VERSION, _DROP_FROM_BOUND = 38, 0x20080522, 24
_CAPABILITIES = 64
_READ_EVERYTHING = 1 << 2
"""CAP_DAC_READ_SEARCH: what root may read. Files are read-only to the run, whoever they belong to."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF, _VERSION, _PATH_BENEATH = 444, 445, 446, 1, 1
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_SCOPES_SINCE, _SCOPE_SIGNALS = 6, 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))


@functools.cache
def offers_namespace() -> bool:
    """Return whether a process started by this one can `separate` and `make_read_only`.

    One is forked to try it: where only half of it is allowed, what is done cannot be undone.
    """
    if _LIBC is None or not hasattr(os, "fork"):
        return False
    with tempfile.TemporaryDirectory(prefix="inplace-lsp-") as folder:
        pid = os.fork()
        if pid == 0:
            try:
                os._exit(0 if enter_namespace() and make_read_only(folder) else 1)
            finally:
                os._exit(1)
        return os.waitpid(pid, 0)[1] == 0


def enter_namespace() -> bool:
    """Give this process a mount namespace of its own; return whether the kernel has done so.

    Call it while there is one thread only. Nothing is different until `make_read_only`.
    """
    if _LIBC is None:
        return False
    user, group = os.geteuid(), os.getegid()
    try:
        if _LIBC.unshare(_CLONE_NEWNS) != 0:
            os.close(os.open("/proc/self/uid_map", os.O_WRONLY))  # or we should be nobody in the new namespace
            _check_call(_LIBC.unshare(_CLONE_NEWNS | _CLONE_NEWUSER))
            _write_file("/proc/self/setgroups", "deny")
            _write_file("/proc/self/uid_map", f"{user} {user} 1")
            _write_file("/proc/self/gid_map", f"{group} {group} 1")
        _set_mount("/", recursive=True, propagation=_PRIVATE)
    except OSError:
        return False
    return True


def make_read_only(folder: str, *, cuda: bool = False) -> bool:
    """Make everything but `folder` read-only for this process, in its own namespace; return whether that holds."""
    try:
        with contextlib.suppress(OSError):
            _hide_shared_memory()
        _mount(folder, folder, flags=_MS_BIND)
        for path in _CUDA if cuda else ():
            _mount(path, path, flags=_MS_BIND | _MS_REC)
        _set_mount("/", recursive=True, on=_RDONLY)
        for path in (folder, SHARED, *(_CUDA if cuda else ())):
            with contextlib.suppress(FileNotFoundError):
                _set_mount(path, off=_RDONLY)
    except OSError:
        return False
    return bool(os.statvfs("/").f_flag & os.ST_RDONLY)


def separate_ipc() -> bool:
    """Give this process System V memory, semaphores and queues of its own; return whether the kernel has done so."""
    return _LIBC is not None and _LIBC.unshare(_CLONE_NEWIPC) == 0


def separate_network() -> bool:
    """Give this process a network of its own, in which nobody else is; return whether the kernel has done so. It can
    reach itself there."""
    if _LIBC is None or _LIBC.unshare(_CLONE_NEWNET) != 0:
        return False
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh", b"lo", _IS_UP))
    return True


def refuse_signals() -> bool:
    """Let Landlock refuse this process all signals to others that it has not started; return whether the kernel can.

    Call it after the namespaces, while there is one thread only: it also refuses to mount.
    """
    if _LIBC is None:
        return False
    try:
        if _check_call(_LIBC.syscall(_CREATE_RULESET, None, 0, _VERSION)) < _SCOPES_SINCE:
            return False
        ruleset = _check_call(_LIBC.syscall(_CREATE_RULESET, struct.pack("3Q", _REFER, 0, _SCOPE_SIGNALS), 24, 0))
        _allow_path(ruleset, "/", _REFER)  # what a ruleset does not allow of this, it refuses
        _restrict_process(ruleset)
    except OSError:
        return False
    return True


def apply_landlock(folder: str, *, cuda: bool = False) -> bool:
    """Let Landlock refuse this process all writes but those in `folder`; return whether the kernel can.

    Call it while there is one thread only.
    """
    if _LIBC is None:
        return False
    try:
        version = _check_call(_LIBC.syscall(_CREATE_RULESET, None, 0, _VERSION))
        refused = _WRITE_FILE | _REMOVE_AND_MAKE | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
        ruleset = _check_call(_LIBC.syscall(_CREATE_RULESET, struct.pack("Q", refused), 8, 0))
        try:
            for path in (folder, SHARED):
                _allow_path(ruleset, path, refused)
            for path in (*_DEVICES, *(_CUDA if cuda else ())):
                _allow_path(ruleset, path, refused & (_WRITE_FILE | _TRUNCATE))
        except OSError:
            os.close(ruleset)
            raise
        _restrict_process(ruleset)
    except OSError:
        return False
    return True


def _restrict_process(ruleset: int) -> None:
    """Impose a ruleset of Landlock's on this process, and close it."""
    assert _LIBC is not None
    try:
        _check_call(_LIBC.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
        _check_call(_LIBC.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def drop_capabilities() -> None:
    """Drop the capabilities of root, and those that an ordinary user has inside a namespace of their own."""
    if _LIBC is None:
        return
    for capability in range(_CAPABILITIES):  # or a program that is started would have them again
        _LIBC.prctl(_DROP_FROM_BOUND, capability, 0, 0, 0)
    kept = _READ_EVERYTHING if os.geteuid() == 0 else 0
    header = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    if _LIBC.capset(header, struct.pack("6I", kept, kept, 0, 0, 0, 0)) != 0:
        _LIBC.capset(header, bytes(24))  # it had not even that one


def is_refusal(error: BaseException, held: Iterable[str]) -> bool:
    """Return whether `error` tells of a write that the kernel refused; `held` names what holds writes back."""
    text = describe_error(error)
    if NAMESPACE in held and any(words in text for words in ("Read-only file system", "readonly database")):
        return True
    if LANDLOCK not in held or "Permission denied" not in text:
        return False
    name = getattr(error, "filename", None)
    if not isinstance(name, (str, bytes)):
        return not isinstance(error, OSError)
    return os.access(name if os.path.exists(name) else os.path.dirname(name) or ".", os.W_OK)  # but for Landlock


def _allow_path(ruleset: int, path: str, rights: int) -> None:
    """Let the ruleset allow `rights` below `path`, if that exists."""
    assert _LIBC is not None
    try:
        at = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        _check_call(_LIBC.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, at), 0))
    finally:
        os.close(at)


def _hide_shared_memory() -> None:
    """Mount a new `/dev/shm` that ends with the run. The entries of the old one stay readable."""
    old = os.open(SHARED, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        entries = list(_list_entries(old))
        _mount("tmpfs", SHARED, kind="tmpfs", flags=_MS_NOSUID | _MS_NODEV, options="mode=1777")
        for name, is_folder in entries:
            path = os.path.join(SHARED, name)
            with contextlib.suppress(OSError):
                os.mkdir(path) if is_folder else os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC))
                _mount(f"/proc/self/fd/{old}/{name}", path, flags=_MS_BIND)
    finally:
        os.close(old)


def _list_entries(folder: int) -> Iterator[tuple[str, bool]]:
    with os.scandir(f"/proc/self/fd/{folder}") as entries:
        for _, entry in zip(range(_ENTRIES), entries, strict=False):
            if entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False):
                yield entry.name, entry.is_dir(follow_symlinks=False)


def _mount(source: str, target: str, *, kind: str | None = None, flags: int = 0, options: str | None = None) -> None:
    assert _LIBC is not None
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, options)]
    _check_call(_LIBC.mount(words[0], words[1], words[2], flags, words[3]))


def _set_mount(path: str, *, recursive: bool = False, on: int = 0, off: int = 0, propagation: int = 0) -> None:
    assert _LIBC is not None
    attributes = struct.pack("4Q", on, off, propagation, 0)
    flags = _AT_RECURSIVE if recursive else 0
    _check_call(_LIBC.syscall(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), flags, attributes, len(attributes)))


def _write_file(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _check_call(result: int) -> int:
    """Return the result of a system call. Raises OSError if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
