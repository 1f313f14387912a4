"""Exit when the editor that started the server is gone: its end of the pipe may live on in another process."""

from __future__ import annotations

import asyncio
import logging
import os
import sys

log = logging.getLogger(__name__)
EVERY_SECONDS = 2.0


async def exit_with(process_id: int) -> None:
    """Exit when that process ends; on Windows, where checking a process signals it, rely on the pipe alone."""
    while sys.platform != "win32" and _is_alive(process_id):
        await asyncio.sleep(EVERY_SECONDS)
    if sys.platform != "win32":
        log.warning("the editor (process %d) is gone", process_id)
        logging.shutdown()
        os._exit(1)  # a thread still waits for a message that will never come


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
