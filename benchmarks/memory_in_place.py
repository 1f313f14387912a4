"""The peak of forward and backward with and without the writes in place that `check --suggest` offers.

    python benchmarks/memory_in_place.py                      # the models of MODELS, on the CPU
    python benchmarks/memory_in_place.py --device cuda        # on a GPU
    python benchmarks/memory_in_place.py FILE...              # files with a class Net and a SHAPE

Each model trains three steps from the same seed, before and after the edits; the peak is that of the device's allocator
in the last one, the parameters must end equal (dropouts are measured, but draw no numbers when parameters are compared:
in place a GPU draws others). Exit status 1 if they are not.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional

from inplace_lsp.config import Config
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import OFFER, Fix
from inplace_lsp.project import check_text, with_offers
from inplace_lsp.worker.memory import Peak, measure_peak

MODELS = Path(__file__).resolve().parent / "models"


STEPS = 3


@dataclass(frozen=True)
class Training:
    """What a few steps of training end with: the peak of the last one in bytes, and the parameters."""

    peak: int
    parameters: tuple[torch.Tensor, ...]


def main() -> None:
    """Measure every model and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="[default: benchmarks/models/*.py]")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    files = options.files or sorted(MODELS.glob("*.py"))
    print(f"torch {torch.__version__} on {options.device}")
    print("| model | offers | peak, MiB | in place, MiB | less | parameters |\n|---|---|---|---|---|---|")
    alike = [_report(file, options.device) for file in files]
    sys.exit(not all(alike))


def _report(file: Path, device: str) -> bool:
    text = file.read_text(encoding="utf-8")
    offers = find_offers(text, file)
    changed = apply_edits(text, [edit for fix in offers for edit in fix.edits])
    _train(text, file, device)  # libraries and their workspaces
    before, after = _train(text, file, device), _train(changed, file, device)
    plain, in_place = _train(text, file, device, drop=False), _train(changed, file, device, drop=False)
    same = describe_difference(plain.parameters, in_place.parameters)
    print_row(file.stem, len(offers), before.peak, after.peak, same)
    return same != "different"


def find_offers(text: str, file: Path) -> list[Fix]:
    """Return the writes in place that `check --suggest` offers for the text of a file."""
    asking = Config(suggest=True)
    found = with_offers(check_text(text, str(file), asking), text, str(file), asking).findings
    return [finding.fix for finding in found if finding.code == OFFER and finding.fix is not None]


def print_row(name: str, offers: int, before: int, after: int, same: str) -> None:
    """Print a row of the table: a model, its offers, its peak in bytes without and with them, its parameters."""
    less = f"{(before - after) / before:.1%}" if before else "-"
    print(f"| {name} | {offers} | {before / 2**20:.1f} | {after / 2**20:.1f} | {less} | {same} |")


def _train(text: str, file: Path, device: str, *, drop: bool = True) -> Training:
    module = types.ModuleType(file.stem)
    exec(compile(text, str(file), "exec"), module.__dict__)
    torch.manual_seed(0)
    net = module.Net().to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.randn(module.SHAPE).to(device)
    gc.collect()
    torch.manual_seed(1)
    for at in range(STEPS):
        optimizer.zero_grad()
        measuring = measure_peak(device) if at == STEPS - 1 else contextlib.nullcontext(Peak())
        with measuring as peak, _without_dropout() if not drop else contextlib.nullcontext():
            net(x).float().pow(2).mean().backward()
        optimizer.step()
    return Training(peak.size, tuple(parameter.detach() for parameter in net.parameters()))


@contextlib.contextmanager
def _without_dropout() -> Iterator[None]:
    """Let `F.dropout` give back what it is given."""
    before = functional.dropout
    functional.dropout = lambda x, *_args, **_options: x
    try:
        yield
    finally:
        functional.dropout = before


def describe_difference(before: Sequence[torch.Tensor], after: Sequence[torch.Tensor]) -> str:
    """Return how far the parameters that two trainings ended with are equal."""
    pairs = list(zip(before, after, strict=True))
    if all(torch.equal(one, other) for one, other in pairs):
        return "equal"
    close = all(torch.allclose(one, other, rtol=1e-3, atol=1e-5) for one, other in pairs)
    return "equal up to rounding" if close else "different"


if __name__ == "__main__":
    main()
