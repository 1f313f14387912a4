"""The sandbox of a run: an audit hook that refuses what could do harm outside of it.

It protects against accidents, not against malice: code that wants to get round an audit hook can. A refusal is a
PermissionError, which well-behaved libraries survive, and says how to allow what was refused. What raises no audit
event is brought to the sandbox by `worker.writers`; behind it stands, where there is one, the kernel (`worker.kernel`).
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import parse_qs, unquote

from inplace_lsp.worker import kernel, paths
from inplace_lsp.worker.safe_text import describe_error, shorten_text

AUDIT = "an audit hook"
WRITE = "write"
NETWORK = "network"
SUBPROCESS = "subprocess"
SIGNAL = "signal"
KINDS = (WRITE, NETWORK, SUBPROCESS, SIGNAL)

_NAMED = 20
"""Maximum number of refusals that are reported."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ENTRIES = {
    "os.mkdir": ((0, 2),),
    "os.mkfifo": ((0, 1),),  # these two are no audit events; `worker.writers` tells of them
    "os.mknod": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "shutil.rmtree": ((0, 1),),
    "shutil.move": ((0, None), (1, None)),
}
"""Events that change which names a folder holds: where their arguments have the name, and the folder's descriptor."""
_CONTENTS = {
    "os.link": ((0, 2),),  # whoever writes to the new name writes to the old file
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.chflags": ((0, None),),
    "os.lchflags": ((0, None),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
    "shutil.chown": ((0, None),),
    "shutil.copyfile": ((1, None),),
    "shutil.copytree": ((1, None),),
    "shutil.make_archive": ((0, None),),
    "shutil.unpack_archive": ((1, None),),
}
"""Events that change a file: what its name leads to in the end."""

_NETWORK = frozenset(
    {
        "socket.connect",
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
        "urllib.Request",
        "ftplib.connect",
        "smtplib.connect",
        "imaplib.open",
        "poplib.connect",
        "http.client.connect",
        "telnetlib.Telnet.open",
        "webbrowser.open",
    }
)
_SUBPROCESS = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "pty.spawn"}
)
_SIGNAL = frozenset({"os.kill", "os.killpg", "signal.pthread_kill"})
_SQLITE_ATTACH = 24
_TELLS_SOMETHING = 1 << 30
"""The bit of an ioctl by which it hands something to the kernel: attributes of a file, what to share with it."""
_CHANGE = "the function tried to change {}; verify does not allow that"


class RefusedError(PermissionError):
    """The sandbox refuses an action."""


class Sandbox:
    """Refuses events, unless their kind is in `allowed`. Writes below `folders` are always let through.

    It keeps nothing while it checks, so that threads do not disturb each other. `held`: what the kernel does besides.
    `threads` are those started past Python's `threading`, which the recorder does not see.
    """

    def __init__(self, folders: Iterable[str], allowed: Iterable[str] = (), held: Iterable[str] = ()) -> None:
        self._held = tuple(held)
        self._folders = tuple(os.path.realpath(folder) + os.sep for folder in folders)
        self._allowed = frozenset(allowed)
        self._refused: dict[str, None] = {}
        self.threads = 0
        self._checks: dict[str, Callable[[str, tuple[object, ...]], None]] = {
            **dict.fromkeys((*_ENTRIES, *_CONTENTS), self._check_names),
            **dict.fromkeys(_NETWORK, self._check_network),
            **dict.fromkeys(_SUBPROCESS, self._check_subprocess),
            **dict.fromkeys(_SIGNAL, self._check_signal),
            "open": self._check_open,
            "os.truncate": self._check_truncate,
            "fcntl.ioctl": self._check_ioctl,
            "sqlite3.connect": self._check_database,
            "_thread.start_new_thread": self._count_thread,
        }

    def install_hook(self) -> None:
        """Install the audit hook, which stays until the process ends."""
        sys.addaudithook(self.check_event)

    @property
    def refusals(self) -> list[str]:
        """The refused actions, each once."""
        refused = list(self._refused)
        more = len(refused) - _NAMED
        return [*refused[:_NAMED], *([f"and {more} things more were refused"] if more > 0 else [])]

    def allows_kind(self, kind: str) -> bool:
        """Return whether actions of this kind are allowed."""
        return kind in self._allowed

    def check_event(self, event: str, arguments: tuple[object, ...]) -> None:
        """Raise RefusedError if the run may not do what an audit event reports."""
        check = self._checks.get(event)
        if check is not None:
            check(event, arguments)

    def _check_open(self, _event: str, arguments: tuple[object, ...]) -> None:
        if _is_for_writing(*arguments[1:3]):
            self.check_file_write(arguments[0])

    def _check_truncate(self, event: str, arguments: tuple[object, ...]) -> None:
        if not isinstance(arguments[0], int):  # a descriptor that can be cut was opened for writing, and checked then
            self._check_names(event, arguments)

    def _check_ioctl(self, _event: str, arguments: tuple[object, ...]) -> None:
        descriptor, request = arguments[:2]
        if not isinstance(descriptor, int) or not isinstance(request, int):
            return
        if request & _TELLS_SOMETHING and _is_of_the_disk(descriptor):
            self.check_file_write(descriptor)

    def _check_database(self, _event: str, arguments: tuple[object, ...]) -> None:
        for name in _database_files(arguments[0]):
            self.check_file_write(name)

    def _check_network(self, event: str, arguments: tuple[object, ...]) -> None:
        self._refuse_action(NETWORK, f"the network ({event}{_shown_address(arguments)})")

    def _check_subprocess(self, event: str, _arguments: tuple[object, ...]) -> None:
        self._refuse_action(SUBPROCESS, f"a new process ({event})")

    def _check_signal(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "signal.pthread_kill" or arguments[0] != os.getpid():
            self._refuse_action(SIGNAL, f"a signal to another process ({event})")

    def _count_thread(self, _event: str, arguments: tuple[object, ...]) -> None:
        if not _is_of_threading(arguments[0]):
            self.threads += 1

    def note_refusal(self, error: BaseException) -> None:
        """Note a refusal by the kernel, if `error` is one: the sandbox has not seen it."""
        if not isinstance(error, RefusedError) and kernel.is_refusal(error, self._held):
            name = getattr(error, "filename", None)
            what = os.fsdecode(name) if isinstance(name, (str, bytes)) else "a file outside of its folder"
            self._refused[shorten_text(f"{_CHANGE.format(what)}: {describe_error(error)}")] = None

    def check_file_write(self, path: object, folder: object = None) -> None:
        """Raise RefusedError if the run may not change the file that `path` leads to. `folder`: a descriptor of the
        one that a relative path starts from."""
        self._check_path(paths.resolve_file(path, folder))

    def _check_names(self, event: str, arguments: tuple[object, ...]) -> None:
        for resolve, places in ((paths.resolve_entry, _ENTRIES), (paths.resolve_file, _CONTENTS)):
            for name, folder in places.get(event, ()):
                if name < len(arguments):
                    given = arguments[folder] if folder is not None and folder < len(arguments) else None
                    self._check_path(resolve(arguments[name], given))

    def _check_path(self, path: str | None) -> None:
        if (
            WRITE in self._allowed
            or path is None
            or paths.is_harmless(path)
            or (path + os.sep).startswith(self._folders)
        ):
            return
        self._refuse_action(WRITE, path)

    def authorize_sqlite(self, action: int, name: str | None, *_rest: object) -> int:
        """Tell SQLite whether it may do what a statement asks for: it opens files by itself."""
        if action == _SQLITE_ATTACH and name is None and not self._held:
            self._refuse_action(WRITE, "a database that it attaches under a name that only SQLite knows")
        elif action == _SQLITE_ATTACH:
            for database in _database_files(name):
                self.check_file_write(database)  # to raise is to refuse
        return 0

    def _refuse_action(self, kind: str, what: str) -> None:
        if kind in self._allowed:
            return
        message = f"a verify run may not use {what}; --allow-{kind} lets it"
        if kind == WRITE:
            message = f"{_CHANGE.format(what)} (--allow-write lets it)"
        self._refused[shorten_text(message)] = None
        raise RefusedError(message)


def _database_files(name: object) -> Iterator[str]:
    """Yield the files that SQLite would write to under this name, which may be a URI."""
    text = os.fsdecode(name) if isinstance(name, (str, bytes, os.PathLike)) else ""
    if text.startswith(":memory:") or not text:
        return
    if not text.startswith("file:"):
        yield text
        return
    location, _, query = text.removeprefix("file:").partition("#")[0].partition("?")
    if parse_qs(query).get("mode", [""])[0] not in ("ro", "memory") and location != ":memory:":
        yield unquote("/" + location[2:].partition("/")[2] if location.startswith("//") else location)


def _is_of_threading(function: object) -> bool:
    return isinstance(getattr(function, "__self__", None), threading.Thread)


def _is_of_the_disk(descriptor: int) -> bool:
    """Return whether a descriptor is that of a file or folder; terminals and sockets get such calls all the time."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _is_for_writing(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    return bool(isinstance(flags, int) and flags & WRITING)


def _shown_address(arguments: tuple[object, ...]) -> str:
    """Return the address or host in an event's arguments, for the message."""
    found = next((argument for argument in arguments if isinstance(argument, (str, tuple))), None)
    return f" {found}" if found else ""
