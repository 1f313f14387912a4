"""What `inplace-lsp trace` costs a small training script, beside torch's own `set_detect_anomaly`.

    python benchmarks/trace.py --rounds 5 --steps 300

The same script runs plain, under the recorder of `trace` and with anomaly detection, in turns, each in a process of its
own on one thread. Printed are the medians, over the rounds, of processor time a step (which other work on the machine
moves little) and of wall time for the whole script, and how often the plain time that is. Exit status 1 if a step takes
more than `--limit` times its plain time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START = Path(__file__).parent.parent / "server" / "inplace_lsp" / "worker" / "script" / "start.py"
SCRIPT = """\
import json, sys, time
import torch
from torch import nn

steps, anomaly = int(sys.argv[1]), len(sys.argv) > 2
torch.set_num_threads(1)
torch.manual_seed(0)
torch.autograd.set_detect_anomaly(anomaly)
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.LayerNorm(64), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
x, y = torch.randn(64, 32), torch.randint(0, 10, (64,))


def train(steps):
    for _ in range(steps):
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


train(20)
started = time.process_time()
loss = train(steps)
print(json.dumps({"seconds": (time.process_time() - started) / steps, "loss": loss}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--limit", type=float, default=5.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "train.py"
        script.write_text(SCRIPT, encoding="utf-8")
        steps = str(options.steps)
        ways = {
            "plain": [str(script), steps],
            "trace": [str(START), str(Path(folder) / "told.json"), str(script), steps],
            "set_detect_anomaly": [str(script), steps, "anomaly"],
        }
        measured = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way, command in ways.items():
                measured[way].append(run(command))
    report(measured, options.limit)


def run(command: list[str]) -> tuple[float, float, float]:
    """Processor seconds a step, wall seconds of the process, and the loss."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    return said["seconds"], time.perf_counter() - started, said["loss"]


def report(measured: dict[str, list[tuple[float, float, float]]], limit: float) -> None:
    assert len({loss for runs in measured.values() for _, _, loss in runs}) == 1, "the runs computed different things"
    plain = statistics.median(seconds for seconds, _, _ in measured["plain"])
    whole = statistics.median(wall for _, wall, _ in measured["plain"])
    for way, runs in measured.items():
        step = statistics.median(seconds for seconds, _, _ in runs)
        wall = statistics.median(wall for _, wall, _ in runs)
        times = f"{step * 1e3:7.3f} ms a step ({step / plain:4.2f} x)   {wall:6.2f} s in all ({wall / whole:4.2f} x)"
        print(f"{way:20} {times}")
    step = statistics.median(seconds for seconds, _, _ in measured["trace"])
    sys.exit(int(step > limit * plain))


if __name__ == "__main__":
    main()
