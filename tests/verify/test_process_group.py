"""Programs for several processes are run as a group of one, however they call what makes the group."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from verify.ways import verdict

PROGRAM = """
import os
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

def worker(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    parts = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    net = nn.SyncBatchNorm.convert_sync_batchnorm({converted})
    net = nn.parallel.DistributedDataParallel({replicated})
    y = torch.sigmoid(net(torch.randn(2, 3)))
    {write}
    y.sum().backward()
    dist.destroy_process_group()

if __name__ == "__main__":
    {spawned}
"""
FORMS = {
    "by position": ("parts", "net, [rank], rank, 0, True", "mp.spawn(worker, (2,), 2)"),
    "by name": (
        "module=parts, process_group=None",
        "module=net, device_ids=[rank], output_device=rank",
        "mp.spawn(fn=worker, args=(2,), nprocs=2, join=True)",
    ),
    "waited for": (
        "parts, None",
        "net, device_ids=[rank]",
        "context = mp.spawn(worker, args=(2,), nprocs=2, join=False)\n    while not context.join():\n        pass",
    ),
    "started": ("parts", "net", "mp.start_processes(worker, args=(2,), nprocs=2, start_method='fork')"),
}
ENVIRONMENT = """
import os
import torch

assert os.environ.get("SEED", default="3") == os.environ.get(key="SEED", default="3") == os.getenv("SEED", "3") == "3"
assert os.getenv("SEED") is None and os.environ.get("RANK", default=None) is None and "RANK" not in os.environ
assert os.environ.pop("RANK", None) is None and os.environ.pop("RANK", default="1") == "1"
assert os.environ["RANK"] == "0"
os.environ["RANK"] = "1"
assert os.environ.get("RANK") == os.environ.pop("RANK") == "1" and "RANK" not in os.environ
try:
    os.environ.pop("RANK")
except KeyError:
    x = torch.rand(3, requires_grad=True)
    y = x.exp()
    {write}
    y.sum().backward()
"""
WRITES = pytest.mark.parametrize(
    ("write", "expected"), [("y += 1", "confirmed"), ("y = y + 1", "not-reproduced")], ids=["broken", "fine"]
)


def fill(form: str, write: str) -> str:
    converted, replicated, spawned = FORMS[form]
    return PROGRAM.format(converted=converted, replicated=replicated, spawned=spawned, write=write)


@WRITES
@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_call_runs(client: Client, form: str, write: str, expected: str) -> None:
    answer = verdict(client, fill(form, write))
    assert answer.verdict == expected, answer.reason
    assert any("group of processes was made up" in note for note in answer.notes)


@WRITES
def test_the_environment_is_asked_as_ever(client: Client, write: str, expected: str) -> None:
    answer = verdict(client, ENVIRONMENT.format(write=write))
    assert answer.verdict == expected, answer.reason


def test_a_function_that_leaves_its_group_is_tried_again(client: Client) -> None:
    text = fill("by name", "y += 1").replace("    dist.destroy_process_group()\n", "")
    answer = verdict(
        client,
        text.replace(
            "def worker(rank, world_size):",
            "def worker(rank, world_size, scales):\n    scales.mul(2)\n    assert 'RANK' not in os.environ",
        ),
        "worker",
    )
    assert answer.verdict == "confirmed", answer.reason


@pytest.fixture(scope="module")
def client_beside_gpu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A worker whose torch says that there is a GPU, which no run on the CPU can use."""
    folder = tmp_path_factory.mktemp("gpu")
    (folder / "sitecustomize.py").write_text("import torch\ntorch.cuda.is_available = lambda: True\n", encoding="utf-8")
    with Client(Launch(sys.executable, ("env", f"PYTHONPATH={folder}"))) as client:
        yield client


@WRITES
def test_a_run_on_the_cpu_is_a_group_of_one_beside_a_gpu(client_beside_gpu: Client, write: str, expected: str) -> None:
    answer = verdict(client_beside_gpu, fill("by name", write))
    assert answer.verdict == expected, answer.reason
