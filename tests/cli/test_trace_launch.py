"""`inplace-lsp trace --launch`: several processes of a program, as torchrun, srun and accelerate start them."""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD
from cli.test_trace import MOVED, trace
from inplace_lsp.cli.launch_command import make_command_line
from inplace_lsp.verify.launch import LaunchError

TRAIN = """\
import sys
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.layer(x).sigmoid()
        y.mul_(2)
        return y

dist.init_process_group("gloo")
model = DistributedDataParallel(Net())
print(f"{sys.argv[1]} {dist.get_rank()} of {dist.get_world_size()}", flush=True)
loss = model(torch.rand(2, 4)).sum()
dist.barrier()
try:
    loss.backward()
finally:
    dist.barrier()
"""
WROTE = "line 13 wrote `y` (version 0 -> 1) after `sigmoid` on line 12 had saved it at version 0; backward on line 22"
SRUN = """\
#!/bin/sh
# srun -n N COMMAND...: what slurm would do on one machine
shift; n=$1; shift
export MASTER_ADDR=127.0.0.1 MASTER_PORT={port} WORLD_SIZE=$n
for rank in 0 1; do RANK=$rank SLURM_PROCID=$rank "$@" & ids="$ids $!"; done
for id in $ids; do wait $id || status=$?; done
exit $status
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(TRAIN)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        (tmp_path / "srun").write_text(SRUN.format(port=server.getsockname()[1]))
    (tmp_path / "srun").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("launch", "wrapped"), [("torchrun --standalone --nproc-per-node 2", True), ("{folder}/srun -n 2", False)]
)
def test_two_processes_tell_of_their_error_once(folder: Path, launch: str, wrapped: bool):
    if not wrapped:  # to load what wraps the model takes as long as all else
        (folder / "train.py").write_text(TRAIN.replace("DistributedDataParallel(Net())", "Net()"))
    done = trace(folder, "--launch", launch.format(folder=folder), "--json", "t.json", "train.py", "--lr")
    assert [each in done.stdout for each in ("--lr 0 of 2", "--lr 1 of 2")] == [True, True]
    torch_says, _, told = done.stderr.partition("\nRanks 0, 1:\n")
    assert torch_says.count("modified by an inplace operation") == 2
    assert told.startswith(WROTE)
    assert told.count("wrote `y`") == 1
    assert done.returncode in (1, 128 + signal.SIGABRT)  # gloo aborts a process whose peer went first
    assert (folder / "t.json").exists()
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_accelerate(folder: Path):
    (folder / "bad.py").write_text(HAZARD)
    launch = f"{sys.executable} -m accelerate.commands.launch --cpu --num_processes 1 --mixed_precision no"
    done = trace(folder, "--launch", launch, "bad.py")
    assert MOVED in done.stderr
    assert done.returncode == 1


def test_a_launched_script_that_is_fine(folder: Path):
    (folder / "fine.py").write_text(FINE)
    done = trace(folder, "--launch", "nice", "fine.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("launch", "command"),
    [
        ("", ["/env/bin/python", "start.py"]),
        ("torchrun --nproc-per-node 2", ["torchrun", "--nproc-per-node", "2", "start.py"]),
        ("torchrun --no-python", ["torchrun", "--no-python", "/env/bin/python", "start.py"]),
        ("accelerate launch", ["accelerate", "launch", "start.py"]),
        ("python3.12 -m torch.distributed.run", ["python3.12", "-m", "torch.distributed.run", "start.py"]),
        ("srun --gres=gpu:1", ["srun", "--gres=gpu:1", "/env/bin/python", "start.py"]),
        ("mpirun -n 2", ["mpirun", "-n", "2", "/env/bin/python", "start.py"]),
    ],
)
def test_who_starts_python(launch: str, command: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert make_command_line(launch, "/env/bin/python", ["start.py"]) == command


def test_a_launcher_beside_the_interpreter(tmp_path: Path):
    launcher = tmp_path / "torchrun"
    launcher.touch(0o755)
    assert make_command_line("torchrun", str(tmp_path / "python"), ["start.py"]) == [str(launcher), "start.py"]


def test_a_launch_command_that_cannot_be_read(folder: Path):
    with pytest.raises(LaunchError):
        make_command_line("srun 'a", "python", [])
    done = trace(folder, "--launch", "srun 'a", "train.py")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_no_such_launcher(folder: Path):
    done = trace(folder, "--launch", "no-such-launcher -n 2", "train.py")
    assert (done.returncode, done.stderr) == (
        2, "inplace-lsp: cannot start no-such-launcher: No such file or directory\n",
    )  # fmt: skip
