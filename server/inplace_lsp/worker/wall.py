"""The wall round a run: an audit hook that refuses what could do harm outside it.

It protects against accidents, not against malice: code that wants to get round an audit hook can. A refusal is a
PermissionError, which well-behaved libraries survive, and says how to allow what was refused.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable
from typing import Any

WRITE = "write"
NETWORK = "network"
SUBPROCESS = "subprocess"
SIGNAL = "signal"
KINDS = (WRITE, NETWORK, SUBPROCESS, SIGNAL)

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = frozenset({"/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "nul"})
_PATHS = {
    "os.mkdir": (0,),
    "os.rmdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.utime": (0,),
    "os.setxattr": (0,),
    "os.removexattr": (0,),
    "shutil.rmtree": (0,),
    "shutil.move": (0, 1),
    "shutil.copyfile": (1,),
    "shutil.copytree": (1,),
    "shutil.unpack_archive": (1,),
    "sqlite3.connect": (0,),
}
"""Events that change the file system, and which of their arguments name what they change."""

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


class RefusedError(PermissionError):
    """The wall does not let it through."""


class Wall:
    """Refuses events, unless their kind is in `allowed`. Writes below `folders` are always let through.

    `threads` are those started past Python's `threading`, which the recorder does not see.
    """

    def __init__(self, folders: Iterable[str], allowed: Iterable[str] = ()) -> None:
        self._folders = tuple(os.path.realpath(folder) + os.sep for folder in folders)
        self._allowed = frozenset(allowed)
        self.refused: list[str] = []
        self.threads = 0
        self._inside = False

    def stand(self) -> None:
        """From now on, until the process ends."""
        sys.addaudithook(self._on_event)

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._inside:
            return
        self._inside = True
        try:
            self._judge(event, arguments)
        finally:
            self._inside = False

    def _judge(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if _is_for_writing(*arguments[1:3]):
                self._write("writing", arguments[0])
        elif event in _PATHS:
            for at in _PATHS[event]:
                if at < len(arguments):
                    self._write(event, arguments[at])
        elif event in _NETWORK:
            self._refuse(NETWORK, f"the network ({event}{_named(arguments)})")
        elif event in _SUBPROCESS:
            self._refuse(SUBPROCESS, f"a new process ({event})")
        elif event in _SIGNAL:
            if event == "signal.pthread_kill" or arguments[0] != os.getpid():
                self._refuse(SIGNAL, f"a signal to another process ({event})")
        elif event == "_thread.start_new_thread" and not _is_of_threading(arguments[0]):
            self.threads += 1

    def _write(self, what: str, path: Any) -> None:
        if isinstance(path, int) or path is None:  # a descriptor: it was judged when it was opened
            return
        name = os.fsdecode(path)
        if name in _DEVICES or name == ":memory:" or name.startswith(("/proc/self/", "/dev/pts/", "/dev/shm/torch_")):
            return
        if not (os.path.realpath(name) + os.sep).startswith(self._folders):
            self._refuse(WRITE, f"{what} {name}, outside the temporary folder of the run")

    def _refuse(self, kind: str, what: str) -> None:
        if kind in self._allowed:
            return
        message = f"a verify run may not use {what}; --allow-{kind} lets it"
        if kind == WRITE:
            message = f"a verify run may not do this: {what}; --allow-write lets it"
        self.refused.append(message)
        raise RefusedError(message)


def _is_of_threading(function: Any) -> bool:
    return isinstance(getattr(function, "__self__", None), threading.Thread)


def _is_for_writing(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    return bool(isinstance(flags, int) and flags & _WRITING)


def _named(arguments: tuple[Any, ...]) -> str:
    """The address or host in an event's arguments, for the message."""
    found = next((one for one in arguments if isinstance(one, (str, tuple))), None)
    return f" {found}" if found else ""
