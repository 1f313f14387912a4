"""The server's own child processes: started isolated, killed and reaped before the event loop closes.

`asyncio.run` cancels every task and waits for them before it closes its loop. Each child has a task that turns this
cancellation into the child's end. A child left behind would be noticed by a closed loop, which logs a traceback.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

from inplace_lsp.isolated import PACKAGE, command_of

LONGEST_LINE = 64 * 1024 * 1024
_reapers: set[asyncio.Task[None]] = set()
"""The event loop itself holds tasks only weakly."""


async def start_child(module: str, *, quiet: bool = False) -> Process:
    """Start `module` of this package with pipes for stdin and stdout. Not `quiet`: its stderr is the server's own.

    Raises OSError if no process can be started.
    """
    process = await asyncio.create_subprocess_exec(
        *command_of(module), stdin=PIPE, stdout=PIPE, stderr=DEVNULL if quiet else None, limit=LONGEST_LINE, cwd=PACKAGE
    )
    reaper = asyncio.get_running_loop().create_task(_reap_child(process))
    _reapers.add(reaper)
    reaper.add_done_callback(_reapers.discard)
    return process


async def _reap_child(process: Process) -> None:
    """Wait for the end of a child. If the server ends first, kill the child and close its pipes."""
    try:
        await process.wait()
    except asyncio.CancelledError:
        kill_child(process)
        await process.wait()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        with contextlib.suppress(OSError):  # what was still to be written finds nobody to read it
            await process.stdin.wait_closed()
        await process.stdout.read()
        raise


def kill_child(process: Process) -> None:
    """Kill a child that may have ended already, and leave it to the event loop to reap it.

    `Process.kill` would ask the system first whether the child has ended, and so reap it: the loop, which waits for
    the same child, then logs that it does not know it.
    """
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.kill(process.pid, signal.SIGKILL)
