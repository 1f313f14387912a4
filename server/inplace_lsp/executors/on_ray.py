"""The workers of a Ray cluster."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import ray

from inplace_lsp.executors import ExecutorError, WorkerPool
from inplace_lsp.version import __version__, installed_version

PATIENCE = 10
"""Maximum number of seconds to wait for an answer at the address."""


@contextmanager
def join_cluster(address: str, *, gpu: bool) -> Iterator[WorkerPool]:
    """Join the cluster at `address`, as `ray.init` takes it; `local` starts one here. Raises ExecutorError."""
    _check_answer(address)
    own = {"include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, **own)
    except (OSError, ValueError, RuntimeError, TimeoutError) as error:
        raise ExecutorError(f"there is no Ray at {address}: {error}") from None
    try:
        executor = RayExecutor(gpus=int(gpu))
        _check_version(address)
        if gpu and not ray.cluster_resources().get("GPU"):
            raise ExecutorError(f"the Ray at {address} has no GPU; use --device cpu")
        yield WorkerPool(executor, (ray.exceptions.RayError,))
        executor.shutdown(wait=False, cancel_futures=True)
    finally:
        ray.shutdown()


def _check_answer(address: str) -> None:
    """Raise ExecutorError if nobody listens at HOST:PORT: Ray itself would try for minutes."""
    place = urlsplit(address if "//" in address else f"//{address}")
    try:
        if place.hostname and place.port:
            socket.create_connection((place.hostname, place.port), PATIENCE).close()
    except (OSError, ValueError) as error:
        raise ExecutorError(f"there is no Ray at {address}: {error}") from None


def _check_version(address: str) -> None:
    try:
        version = ray.get(ray.remote(installed_version).remote())
    except ray.exceptions.RayError as error:
        last = str(error).strip().splitlines()[-1]
        reason = f"a worker of Ray at {address} cannot load inplace-lsp ({last})"
        raise ExecutorError(f"{reason}: install inplace-lsp {__version__} where the workers run") from None
    if version != __version__:
        raise ExecutorError(f"the workers of Ray at {address} have inplace-lsp {version}, this is {__version__}")


class RayExecutor(Executor):
    """Ray's tasks as an executor of `concurrent.futures`. Each takes a processor, or `gpus` GPUs."""

    def __init__(self, gpus: int = 0) -> None:
        self._resources = {"num_gpus": gpus} if gpus else {"num_cpus": 1}
        self._given_out: list[Any] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a task to Ray, which runs it again if its worker is lost."""
        reference = ray.remote(fn).options(**self._resources).remote(*args, **kwargs)
        self._given_out.append(reference)
        future: Future[Any] = reference.future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End; with `cancel_futures`, tasks that have not begun never do."""
        if cancel_futures:
            for reference in self._given_out:
                ray.cancel(reference)
        elif wait and self._given_out:
            ray.wait(self._given_out, num_returns=len(self._given_out))
