"""What a run may use of the machine. All limits are the process's own; they hold for whatever it starts, too."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MEMORY = 4 << 30
FILE = 256 << 20
TASKS = 256
NICE = 10


@dataclass(frozen=True)
class Limits:
    """Bytes of memory above what torch itself takes, bytes a file may have, processes and threads more than now."""

    memory: int | None = MEMORY
    file: int = FILE
    tasks: int = TASKS

    def set(self) -> None:
        """Impose them on this process."""
        os.nice(NICE)
        if resource is None:
            return
        _lower(resource.RLIMIT_FSIZE, self.file)
        _lower(resource.RLIMIT_CORE, 0)
        used = _address_space()
        if self.memory is not None and used is not None:
            _lower(resource.RLIMIT_AS, used + self.memory)
        running = _tasks()
        if running is not None:
            _lower(resource.RLIMIT_NPROC, running + self.tasks)


def _lower(kind: int, value: int) -> None:
    """Set both limits of a kind, never above the hard one."""
    _soft, hard = resource.getrlimit(kind)
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (wanted, wanted))


def _address_space() -> int | None:
    """The address space in use now; only Linux tells, and only there the limit works."""
    if not sys.platform.startswith("linux"):
        return None
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _tasks() -> int | None:
    """The threads of all processes of this user, which is what the limit counts; root has no limit."""
    user = os.getuid() if sys.platform.startswith("linux") else 0
    if user == 0:
        return None
    return sum(_threads(entry) for entry in os.scandir("/proc") if entry.name.isdigit() and _owner(entry) == user)


def _owner(entry: Any) -> int:
    try:
        return int(entry.stat().st_uid)
    except OSError:
        return -1


def _threads(entry: Any) -> int:
    try:
        return len(os.listdir(f"{entry.path}/task"))
    except OSError:
        return 0
