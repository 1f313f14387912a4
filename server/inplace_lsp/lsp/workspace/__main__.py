"""`inplace_lsp.lsp.workspace` as a program: finds and checks files for the server, one job after the other.

A process of its own, so that a scan takes no time from the answers about open files, and can be stopped at any point.
It ends with its input, that is, at the latest with the server.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import BinaryIO

from inplace_lsp import config
from inplace_lsp.lsp.workspace.checking import check_file, find_stamps
from inplace_lsp.lsp.workspace.jobs import HEADER, Check, Find, Search, pack_message
from inplace_lsp.orphans import end_with_parent

POLITE = 10


def main() -> None:
    """Answer jobs until there are no more."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the server to answer
    if hasattr(os, "nice"):
        os.nice(POLITE)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed output must not damage an answer
    epoch = 0
    while (job := _receive_job(sys.stdin.buffer)) is not None:
        if job.epoch != epoch:
            config.forget_configs()
            epoch = job.epoch
        try:
            answers.write(pack_message(_answer_job(job)))
            answers.flush()
        except BrokenPipeError:
            return


def _answer_job(job: Find | Check | Search) -> object:
    if isinstance(job, Search):
        from inplace_lsp.lsp.workspace.searching import search_file  # noqa: PLC0415  (a scan does without)

        return search_file(job)
    return find_stamps(job) if isinstance(job, Find) else check_file(job)


def _receive_job(pipe: BinaryIO) -> Find | Check | Search | None:
    header = pipe.read(HEADER.size)
    if len(header) != HEADER.size:
        return None
    job: Find | Check | Search = pickle.loads(pipe.read(HEADER.unpack(header)[0]))
    return job


if __name__ == "__main__":
    main()
