"""The workers of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor
from concurrent.futures import Future as Answer
from concurrent.futures import wait as wait_for_all
from contextlib import contextmanager
from functools import partial
from typing import Any

from distributed import Client, Future, KilledWorker

from inplace_lsp.executors import ExecutorError, WorkerPool
from inplace_lsp.version import __version__, installed_version

PATIENCE = 20
"""Maximum number of seconds to wait for a scheduler's answer."""
GPU = "GPU"
"""The resource with which workers that have a GPU are started: `dask worker ADDRESS --resources GPU=1`."""
ATTEMPTS = 3
"""Maximum number of times to submit a unit whose result is lost together with its worker."""


@contextmanager
def join_cluster(address: str, *, gpu: bool) -> Iterator[WorkerPool]:
    """Join the cluster whose scheduler is at `address`. Raises ExecutorError."""
    for name in ("distributed", "distributed.client"):  # a user of `check` does not need to know about retries
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ExecutorError(f"no scheduler of Dask answers at {address}: {error}") from None
    with client:
        _check_versions(client, address)
        if gpu:
            _check_resources(client, address)
        executor = DaskExecutor(client, gpus=int(gpu))
        try:
            yield WorkerPool(executor, (KilledWorker, CancelledError))
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _check_versions(client: Client, address: str) -> None:
    """Raise ExecutorError unless all workers have this version of the package."""
    try:
        versions = client.run(installed_version)
    except Exception as error:
        reason = f"a worker of Dask at {address} cannot load inplace-lsp ({error})"
        raise ExecutorError(f"{reason}: install inplace-lsp {__version__} where the workers run") from None
    for worker, version in versions.items():
        if version != __version__:
            raise ExecutorError(f"the worker {worker} of Dask has inplace-lsp {version}, this is {__version__}")


def _check_resources(client: Client, address: str) -> None:
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    if workers and not any(worker["resources"].get(GPU) for worker in workers):
        how = f"start them with `dask worker {address} --resources {GPU}=1`"
        raise ExecutorError(f"no worker of Dask at {address} offers a {GPU}: {how}, or use --device cpu")


class DaskExecutor(Executor):
    """Dask's tasks as an executor of `concurrent.futures`. Each takes a thread of a worker, and `gpus` GPUs.

    Dask's own executor (`Client.get_executor`) ends a future as cancelled or failed where a worker dies between the end
    of its task and the fetching of the result; this one submits the task again.
    """

    def __init__(self, client: Client, gpus: int = 0) -> None:
        self._client = client
        self._resources = {GPU: gpus} if gpus else None
        self._under_way: set[Answer[Any]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Answer[Any]:
        """Submit a task to Dask, which runs it again if its worker is lost."""
        submit = partial(self._client.submit, fn, *args, **kwargs, pure=False, resources=self._resources)
        answer = _Unit(submit).answer
        self._under_way.add(answer)
        answer.add_done_callback(self._under_way.discard)
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End; with `cancel_futures`, tasks that have not begun never do."""
        if cancel_futures:
            for answer in list(self._under_way):
                answer.cancel()
        if wait:
            wait_for_all(list(self._under_way))


class _Unit:
    """A call on the cluster, and its answer."""

    def __init__(self, submit: Callable[[], Future[Any]]) -> None:
        self.answer: Answer[Any] = Answer()
        self._submit = submit
        self._attempts_left = ATTEMPTS
        self._remote: Future[Any] | None = None
        self.answer.add_done_callback(self._release_task)
        self._submit_task()

    def _submit_task(self) -> None:
        self._attempts_left -= 1
        self._remote = self._submit()
        self._remote.add_done_callback(self._deliver_result)

    def _deliver_result(self, remote: Future[Any]) -> None:
        """Fetch the result, in Dask's thread for callbacks. Wait for it if the cluster has to compute it again."""
        try:
            result = remote.result()
        except CancelledError as error:
            if self._attempts_left and not self.answer.cancelled():
                self._submit_task()
            elif self.answer.set_running_or_notify_cancel():
                self.answer.set_exception(error)
        except Exception as error:
            if self.answer.set_running_or_notify_cancel():
                self.answer.set_exception(error)
        else:
            if self.answer.set_running_or_notify_cancel():
                self.answer.set_result(result)

    def _release_task(self, answer: Answer[Any]) -> None:
        """Let the cluster forget the call, which is done or cancelled."""
        if self._remote is not None and answer.cancelled():
            self._remote.cancel()
        self._remote = None
