"""Starts a program to which the kernel refuses some system calls, as the rules of a container may.

python without.py unshare,landlock_create_ruleset PROGRAM [ARGUMENT ...]
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

NUMBERS = {"unshare": 97 if platform.machine() == "aarch64" else 272, "landlock_create_ruleset": 444}
LOAD, EQUALS, RETURN = 0x20, 0x15, 0x06
REFUSED, ALLOWED = 0x00050001, 0x7FFF0000  # EPERM


def instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)


def refuse(names: list[str]) -> None:
    checks = [instruction(EQUALS, NUMBERS[name], len(names) - at, 0) for at, name in enumerate(names)]
    steps = [instruction(LOAD, 0), *checks, instruction(RETURN, ALLOWED), instruction(RETURN, REFUSED)]
    program = ctypes.create_string_buffer(b"".join(steps))
    filter_ = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, filter_, 0, 0):
        raise OSError(ctypes.get_errno(), "no filter")


if __name__ == "__main__":
    refuse([name for name in sys.argv[1].split(",") if name])
    os.execvp(sys.argv[2], sys.argv[2:])
