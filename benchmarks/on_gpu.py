"""The programs of the tests on a GPU: does torch do there what the markers, judged on the CPU, say?

    python benchmarks/on_gpu.py                    # every program under tests/programs, on the CPU and on cuda
    python benchmarks/on_gpu.py --device cpu --device cpu saves training   # a rehearsal without a GPU

Each program runs with the device as torch's default, under the observing recorder. A program that cannot run on the
device for a reason of its own (`.numpy()` of a CUDA tensor) is listed as such. Exit status 1 if a program has another
answer on a later device than on the first.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "tests" / "programs"
INPLACE = ("in-place", "inplace", "second time", "detach_")
"""Words of torch's errors that the tape is about."""


@dataclass(frozen=True)
class Judged:
    """What a program did: the rows and codes found, and torch's error."""

    name: str
    found: tuple[tuple[int, str], ...]
    error: str
    notes: tuple[str, ...]

    def fails_otherwise(self) -> bool:
        """Return whether the program ended by an error that is about no write in place."""
        return bool(self.error) and not any(word in self.error for word in INPLACE)


def main() -> None:
    """Run the programs on each device, and compare the last with the first."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", help="folders under tests/programs [default: all]")
    parser.add_argument("--device", action="append", help="a device, twice or more [default: cpu and cuda]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    names = [name for folder in options.folders or ["."] for name in _list_programs(folder)]
    devices = options.device or ["cpu", "cuda"]
    first, *others = [_judge_all(names, device, options.jobs) for device in devices]
    differs = [_report(device, first, judged) for device, judged in zip(devices[1:], others, strict=True)]
    sys.exit(any(differs))


def _list_programs(folder: str) -> Iterator[str]:
    yield from sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py"))


def _judge_all(names: Sequence[str], device: str, jobs: int) -> list[Judged]:
    with ProcessPoolExecutor(jobs, get_context("spawn"), _use_device, (device,)) as pool:
        return list(pool.map(_judge, names, chunksize=4))


def _use_device(device: str) -> None:
    import torch  # noqa: PLC0415 - each process loads its own

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_default_device(device)


def _judge(name: str) -> Judged:
    from inplace_lsp.hazards.registry import find_all  # noqa: PLC0415
    from inplace_lsp.worker.recorder import observe_program  # noqa: PLC0415

    text = (ROOT / name).read_text(encoding="utf-8")
    try:
        tape = observe_program(text, name)
    except Exception as error:  # an internal error is what this looks for
        return Judged(name, (), f"internal error: {type(error).__name__}: {error}", ())
    found = sorted((finding.span.row, finding.code) for finding in find_all(tape))
    return Judged(name, tuple(found), tape.error or "", tape.notes)


def _report(device: str, before: Sequence[Judged], after: Sequence[Judged]) -> bool:
    """Print how many programs are the same on `device`, and all others. Return whether an answer differs."""
    kinds: Counter[str] = Counter()
    for first, last in zip(before, after, strict=True):
        same = first.found == last.found
        own = last.fails_otherwise() and not first.fails_otherwise()
        kind = "the same" if same and not own else "ends by an error of its own" if own else "differs"
        kinds[kind] += 1
        if kind != "the same":
            print(f"{kind}: {first.name}\n  before {first.found} {first.error[:100]}")
            print(f"  {device:6} {last.found} {last.error[:200]} {' '.join(last.notes)[:200]}")
    print(f"{len(after)} programs on {device}: {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}")
    return kinds["differs"] > 0


if __name__ == "__main__":
    main()
