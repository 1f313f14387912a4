"""timm's most used models with the writes in place that `check --suggest` offers: does training end with the same?

    python benchmarks/offers_in_timm.py [--device cuda] [MODEL...]

Of every model, the offers in the files of timm that its modules are defined in are applied in a copy of the package.
Then the model trains three steps from the same seed, with timm as it is and with the copy, each in a process of its
own. The parameters must end equal; the peak is that of the device's allocator in the last step. Exit status 1 if they
are not.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from memory_in_place import STEPS, describe_difference, find_offers, print_row

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import torchvision_stub  # noqa: F401
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.worker.memory import Peak, measure_peak

MODELS = {
    "resnet18": 96,
    "resnet50": 96,
    "wide_resnet50_2": 96,
    "densenet121": 96,
    "mobilenetv3_small_100": 96,
    "mobilenetv3_large_100": 96,
    "efficientnet_b0": 96,
    "convnext_tiny": 96,
    "vit_tiny_patch16_224": 224,
    "swin_tiny_patch4_window7_224": 224,
}
"""The models, and the width of the pictures that they are trained on."""
BATCH = 2
DROPS = {"drop_rate": 0.1, "proj_drop_rate": 0.1}
"""Rates of dropouts, for the models that take them: by default they do nothing."""


def main() -> None:
    """Train every model twice and print a table; or train one, which the first process asks the others to do."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="*", help=f"[default: {', '.join(MODELS)}]")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--result", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.result:
        _train(options.models[0], options.device, Path(options.result))
        return
    print(f"torch {torch.__version__} on {options.device}, {STEPS} steps, {BATCH} pictures")
    print("| model | offers | peak, MiB | in place, MiB | less | parameters |\n|---|---|---|---|---|---|")
    alike = [_report(name, options.device) for name in options.models or MODELS]
    sys.exit(not all(alike))


def _report(name: str, device: str) -> bool:
    import timm  # noqa: PLC0415 - the processes that train load a copy of it

    package = Path(timm.__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(package, Path(folder) / "timm", ignore=shutil.ignore_patterns("__pycache__"))
        files = {inspect.getfile(type(part)) for part in _make(name).modules()}
        ours = sorted(Path(file).relative_to(package) for file in files if Path(file).is_relative_to(package))
        offers = sum(_apply_offers(package / file, Path(folder) / "timm" / file) for file in ours)
        before = _train_apart(name, device, str(package.parent))
        after = _train_apart(name, device, folder) if offers else before
    same = describe_difference(before["parameters"], after["parameters"]) if offers else "unchanged"
    print_row(name, offers, before["peak"], after["peak"], same)
    return same != "different"


def _apply_offers(file: Path, copy: Path) -> int:
    """Write a file with all its offers applied, and return how many they are."""
    text = file.read_text(encoding="utf-8")
    fixes = find_offers(text, file)
    copy.write_text(apply_edits(text, [edit for fix in fixes for edit in fix.edits]), encoding="utf-8")
    return len(fixes)


def _train_apart(name: str, device: str, place: str) -> dict[str, object]:
    """Train a model in a process that finds timm in a folder; return its peak and its parameters."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.pt"
        command = [sys.executable, __file__, name, "--device", device, "--result", str(result)]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": place}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(done.stderr)
        return torch.load(result)  # type: ignore[no-any-return]  # what `_train` saves


def _make(name: str) -> torch.nn.Module:
    import timm  # noqa: PLC0415

    for rates in (DROPS, {"drop_rate": DROPS["drop_rate"]}):
        try:
            torch.manual_seed(0)
            return timm.create_model(name, num_classes=10, **rates)
        except TypeError:  # it takes no such rate
            continue
    raise AssertionError(name)


def _train(name: str, device: str, result: Path) -> None:
    net = _make(name).to(device).train()
    step = torch.optim.SGD(net.parameters(), lr=0.01)
    torch.manual_seed(1)
    for at in range(STEPS):
        x = torch.randn(BATCH, 3, MODELS.get(name, 224), MODELS.get(name, 224)).to(device)
        step.zero_grad()
        with measure_peak(device) if at == STEPS - 1 else contextlib.nullcontext(Peak()) as peak:
            net(x).float().pow(2).mean().backward()
        step.step()
    torch.save({"peak": peak.size, "parameters": [each.detach().cpu() for each in net.parameters()]}, result)


if __name__ == "__main__":
    main()
