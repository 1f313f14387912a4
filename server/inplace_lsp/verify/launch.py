"""Starts a worker: an interpreter here, or a command that starts one elsewhere, and the handshake with it."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass

from inplace_lsp.messages.codec import read_message
from inplace_lsp.messages.environment import needed_environment
from inplace_lsp.messages.signals import PROTOCOL, Hello
from inplace_lsp.verify import payload
from inplace_lsp.verify.pipe import Pipe, StoppedError

START_SECONDS = 120.0
TICK = 0.1
"""Seconds between two looks at whether somebody has cancelled."""

Cancelled = Callable[[], bool]


def never_cancelled() -> bool:
    """Return False: nobody cancels."""
    return False


class LaunchError(Exception):
    """There is no worker; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a worker. `command` (`ssh host`, `docker run -i image`) goes before the interpreter's name."""

    python: str
    command: tuple[str, ...] = ()

    @classmethod
    def parse(cls, python: str, command: str = "") -> Launch:
        """Return a launch with `command` split as a shell would."""
        try:
            return cls(python, tuple(shlex.split(command)))
        except ValueError as error:
            raise LaunchError(f"the launch command {command!r} cannot be read: {error}") from None

    def command_words(self) -> list[str]:
        """Return the whole command line."""
        return [*self.command, self.python, "-u", "-c", payload.STARTER]

    def describe(self) -> str:
        """Return the launch as a person would recognise it."""
        return " ".join([*self.command, self.python])


def start_worker(
    launch: Launch, seconds: float = START_SECONDS, cancelled: Cancelled = never_cancelled
) -> tuple[Pipe, Hello]:
    """Start a worker and greet it. Raises LaunchError, also when it is cancelled before the worker answers."""
    # what starts a worker elsewhere may need all of it, `ssh` its agent; that worker forgets what its runs do not need
    own = dict(os.environ) if launch.command else needed_environment(os.environ)
    environment = {**own, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        pipe = Pipe(launch.command_words(), environment)
    except OSError as error:
        raise LaunchError(f"cannot start {launch.describe()}: {error.strerror or error}") from None
    try:
        pipe.write_text(payload.payload_line())
        return pipe, _wait_for_greeting(pipe, launch, seconds, cancelled)
    except BaseException:
        pipe.close()
        raise


def _wait_for_greeting(pipe: Pipe, launch: Launch, seconds: float, cancelled: Cancelled) -> Hello:
    end = time.monotonic() + seconds
    while True:
        try:
            data = pipe.receive_object(TICK)
        except TimeoutError:
            if cancelled():
                raise LaunchError(f"{launch.describe()} was being started when the run was cancelled") from None
            if time.monotonic() > end:
                raise LaunchError(f"{launch.describe()} did not answer within {seconds:g} s") from None
            continue
        except StoppedError as error:
            raise LaunchError(f"{launch.describe()} {error}") from None
        except EOFError:
            raise LaunchError(f"{launch.describe()} could not be started: {pipe.last_words()}") from None
        if data.get("op") == "hello":
            break
    hello = read_message(data) if data.get("protocol") == PROTOCOL else None
    if not isinstance(hello, Hello):
        raise LaunchError(f"the worker speaks protocol {data.get('protocol')}, this program {PROTOCOL}")
    if hello.error:
        raise LaunchError(f"{launch.describe()} (Python {hello.python}) cannot verify: {hello.error}")
    return hello
