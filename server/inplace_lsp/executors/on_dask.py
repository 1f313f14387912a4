"""The workers of a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager

from distributed import Client, KilledWorker

from inplace_lsp import __version__
from inplace_lsp.executors import ExecutorError, WorkerPool
from inplace_lsp.executors.version import installed_version

PATIENCE = 20
"""Seconds in which a scheduler has to answer."""
GPU = "GPU"
"""What workers that have one are started with: `dask worker ADDRESS --resources GPU=1`."""


@contextmanager
def join_cluster(address: str, *, gpu: bool) -> Iterator[WorkerPool]:
    """Join the cluster whose scheduler is at `address`. Raises ExecutorError."""
    for name in ("distributed", "distributed.client"):  # what it retries is no news to the user of a check
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ExecutorError(f"no scheduler of Dask answers at {address}: {error}") from None
    with client:
        _check_versions(client, address)
        if gpu:
            _check_resources(client, address)
        executor = client.get_executor(pure=False, **({"resources": {GPU: 1}} if gpu else {}))
        try:
            yield WorkerPool(executor, (KilledWorker, CancelledError))
        finally:
            executor.shutdown(wait=False)


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
