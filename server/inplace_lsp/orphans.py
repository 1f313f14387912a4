"""End a child process with the process that started it, however that ended, whatever the child is doing."""

from __future__ import annotations

import os
import sys
import threading
import time

EVERY_SECONDS = 0.5


def end_with_parent() -> None:
    """Watch from now on whether the parent process is gone, and then end this one.

    The pipe between the two would say so only when the next question is read from it. On Windows nothing else does.
    """
    if sys.platform != "win32":
        threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY_SECONDS)
    os._exit(1)
