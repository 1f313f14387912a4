"""A child process ends with the one that started it, however that ended, and whatever it is doing then."""

from __future__ import annotations

import os
import sys
import threading
import time

EVERY_SECONDS = 0.5


def end_with_parent() -> None:
    """From now on look whether the process that started this one is gone, and end this one then.

    The pipe between the two would say so only when the next question is read from it. On Windows nothing else does.
    """
    if sys.platform != "win32":
        threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY_SECONDS)
    os._exit(1)
