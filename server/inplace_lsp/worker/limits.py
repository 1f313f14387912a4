"""The limits of a run on this machine. They belong to the process and hold for whatever it starts."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass

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

    def apply_to_process(self) -> None:
        """Impose the limits on this process."""
        os.nice(NICE)
        if resource is None:
            return
        _lower_limit(resource.RLIMIT_FSIZE, self.file)
        _lower_limit(resource.RLIMIT_CORE, 0)
        used = _address_space()
        if self.memory is not None and used is not None:
            _lower_limit(resource.RLIMIT_AS, used + self.memory)
        running = _count_user_tasks()
        if running is not None:
            _lower_limit(resource.RLIMIT_NPROC, running + self.tasks)


def measure_children() -> float:
    """Return the processor seconds of ended child processes, or wall-clock seconds where the system does not count
    them."""
    if resource is None:
        return time.monotonic()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(used.ru_utime + used.ru_stime)


def _lower_limit(kind: int, value: int) -> None:
    """Set both limits of a kind, never above the hard one."""
    _soft, hard = resource.getrlimit(kind)
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (wanted, wanted))


def _address_space() -> int | None:
    """Return the address space in use; only on Linux, where alone the limit works."""
    if not sys.platform.startswith("linux"):
        return None
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _count_user_tasks() -> int | None:
    """Return the number of threads in all processes of this user, which the limit counts; None for root, who has no
    limit."""
    user = os.getuid() if sys.platform.startswith("linux") else 0
    if user == 0:
        return None
    return sum(
        _count_threads(entry) for entry in os.scandir("/proc") if entry.name.isdigit() and _owner_id(entry) == user
    )


def _owner_id(entry: os.DirEntry[str]) -> int:
    try:
        return int(entry.stat().st_uid)
    except OSError:
        return -1


def _count_threads(entry: os.DirEntry[str]) -> int:
    try:
        return len(os.listdir(f"{entry.path}/task"))
    except OSError:
        return 0
