"""Where units of work run: in processes here, or on the machines of a cluster engine.

An engine is reached as an `Executor` of `concurrent.futures`. It has the queue, the retries and the resources.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module

HERE = "processes"
ENGINES = {"dask": "distributed", "ray": "ray"}
"""The engines, each with the package that it needs; our extra that installs it has the engine's name."""


class ExecutorError(Exception):
    """The engine does not exist or cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """An executor. `lost`: the exceptions that mean that a unit lost its worker more often than the engine retries."""

    executor: Executor
    lost: tuple[type[BaseException], ...]


def parse_executor(text: str) -> tuple[str, str]:
    """Return the engine and the address that `ENGINE:ADDRESS` names; `processes` has none. Raises ExecutorError."""
    engine, _, address = text.partition(":")
    if text == HERE:
        return HERE, ""
    if engine not in ENGINES or not address:
        raise ExecutorError(f"{text!r} is not an executor; use {HERE}, dask:ADDRESS or ray:ADDRESS")
    return engine, address


@contextmanager
def join_workers(engine: str, address: str, *, gpu: bool = False) -> Iterator[WorkerPool]:
    """Join the workers at `address`. `gpu`: each unit takes one GPU of the engine's.

    Work that has not begun when this ends is cancelled. Raises ExecutorError.
    """
    try:
        module = import_module(f"{__name__}.on_{engine}")
    except ModuleNotFoundError as error:
        if error.name != ENGINES[engine]:
            raise
        how = f"pip install 'inplace-lsp[{engine}]'"
        raise ExecutorError(f"--executor {engine} needs the package {error.name}: {how}") from None
    with module.join_cluster(address, gpu=gpu) as pool:
        yield pool
