"""`--executor`: a real cluster of Dask with three workers, one of which is killed, and Ray."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import inplace_lsp as package
from cli.commandline import HAZARD, found, inplace_lsp
from inplace_lsp.executors import ExecutorError, join_workers

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

PYTHON = ("--python", sys.executable, "--device", "cpu")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
"""Where the workers, too, find the package under test."""
pytestmark = pytest.mark.xdist_group("executors")


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    from distributed import LocalCluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
        with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
            yield cluster


@pytest.fixture
def many(tmp_path: Path) -> Path:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(9):
        (folder / f"train{number}.py").write_text(HAZARD)
    (folder / "broken.py").write_bytes(b"# \xff")
    return folder


def address_of(cluster: LocalCluster) -> str:
    return f"dask:{cluster.scheduler_address}"


def kill_one_that_works(cluster: LocalCluster) -> None:
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        busy = next(worker for worker, units in client.processing().items() if units)
        [process] = client.run(os.getpid, workers=[busy]).values()
    os.kill(process, signal.SIGKILL)


def test_verdicts_stream_back_and_those_of_a_killed_worker_come_too(cluster: LocalCluster, many: Path) -> None:
    state = many.parent / "state"
    command = ["verify", "--all", many, "--resume", state, "--output-format", "json-lines", *PYTHON]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "inplace_lsp", *map(str, command), "--executor", address_of(cluster)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    kill_one_that_works(cluster)
    rest, errors = process.communicate(timeout=600)
    verdicts = [json.loads(line) for line in (first + rest).splitlines()]
    assert {(Path(verdict["filename"]).name, verdict["verdict"]) for verdict in verdicts} == {
        (f"train{number}.py", "confirmed") for number in range(9)
    }, errors
    assert (process.returncode, len(verdicts)) == (1, 9)
    assert errors.startswith(f"inplace-lsp: cannot verify {many}/broken.py: cannot be decoded: ")
    assert errors.count("\n") == 1
    again = inplace_lsp(*command)  # by this machine: it has nothing left to do, so that even the seconds are the same
    assert sorted(again.stdout.splitlines()) == sorted((first + rest).splitlines())


UNTIL_IT_IS_THERE = 'until [ -e "$1" ]; do sleep 0.01; done; cat "$1"'
"""Run by a function of Python's own: a worker cannot import what stands in this file."""


def find_tasks(client: Client) -> set[str]:
    """Return the keys of the tasks that the workers are at."""
    return {key for keys in client.processing().values() for key in keys}


def lose_next_result(client: Client, known: set[str]) -> None:
    """Take a task that is not `known` from whoever submitted it, as a scheduler does that has lost its result; add its
    key."""
    from distributed import Future

    while not (keys := find_tasks(client) - known):
        time.sleep(0.01)
    client.cancel([Future(key, client) for key in keys], force=True)
    known |= keys


@pytest.mark.parametrize(("losses", "arrives"), [(1, True), (3, False)])
def test_a_unit_whose_result_is_lost_is_submitted_again(
    cluster: LocalCluster, tmp_path: Path, losses: int, arrives: bool
) -> None:
    from distributed import Client

    go = tmp_path / "go"
    with Client(cluster, set_as_default=False) as other, join_workers("dask", cluster.scheduler_address) as pool:
        known = find_tasks(other)  # what the test before has left
        answer = pool.executor.submit(subprocess.check_output, ["sh", "-c", UNTIL_IT_IS_THERE, "sh", go], text=True)
        for _ in range(losses):
            lose_next_result(other, known)
        if arrives:
            go.write_text("gone")
            assert answer.result(60) == "gone"
        else:
            assert isinstance(answer.exception(60), pool.lost)
            go.write_text("for nobody")


def test_a_check_finds_the_same(cluster: LocalCluster, many: Path) -> None:
    elsewhere = found(many, "--no-cache", "--executor", address_of(cluster))
    assert elsewhere == found(many, "--no-cache")
    assert len(elsewhere) == 9


def test_a_gpu_is_a_resource_of_the_cluster(cluster: LocalCluster, many: Path) -> None:
    result = inplace_lsp("verify", "--all", many, "--device", "cuda", "--executor", address_of(cluster))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "offers a GPU: start them with `dask worker " in result.stderr


@pytest.mark.parametrize(
    ("executor", "words"),
    [
        ("slurm:here", "'slurm:here' is not an executor; use processes, dask:ADDRESS or ray:ADDRESS"),
        ("dask:", "'dask:' is not an executor"),
        ("dask:nonsense://", "no scheduler of Dask answers at nonsense://"),
    ],
)
def test_what_is_no_executor_is_said(many: Path, executor: str, words: str) -> None:
    for command in (("check",), ("verify", "--all", *PYTHON)):
        result = inplace_lsp(*command, many, "--executor", executor)
        assert (result.exit_code, words in result.stderr, result.stderr.count("\n")) == (2, True, 1)


def test_an_engine_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inplace_lsp.executors.on_dask", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "inplace_lsp.executors.on_dask")
    with pytest.raises(ExecutorError, match=r"pip install 'inplace-lsp\[dask\]'"), join_workers("dask", "tcp://x:1"):
        pass


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Ray is not made for it yet")
def test_ray_finds_the_same(many: Path) -> None:
    command = ["check", many, "--no-cache", "--output-format", "concise", "--executor"]
    here, there = (
        subprocess.run(
            [sys.executable, "-m", "inplace_lsp", *map(str, command), executor],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        )
        for executor in ("processes", "ray:local")
    )
    assert there.returncode == here.returncode
    # what is found is printed after some seconds at the latest, although an earlier file is still at work
    assert sorted(there.stdout.split("\n")) == sorted(here.stdout.split("\n"))
    assert there.stdout.count("error[IP101]") == 9
    nowhere = inplace_lsp("check", many, "--executor", "ray:127.0.0.1:1")
    assert nowhere.stderr == "inplace-lsp: there is no Ray at 127.0.0.1:1: [Errno 111] Connection refused\n"
