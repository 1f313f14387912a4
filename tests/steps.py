"""Count the steps of an analysis: what it costs on any machine, whatever else that is doing.

`python tests/steps.py` writes steps.json anew: those of a fixed set of files, with which `test_steps.py` compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from unittest.mock import patch

from inplace_lsp import engine, outcomes
from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.interpret.entries import fixtures
from inplace_lsp.interpret.entries.fixtures import INIT_STEPS, ClassFixture, ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts
from inplace_lsp.memory import AnalysisMemory

ROOT = Path(__file__).parent.parent
RECORDED = Path(__file__).parent / "steps.json"
FRAMEWORKS = (
    "diffusers/models/attention.py",
    "diffusers/models/unets/unet_2d_blocks.py",
    "diffusers/schedulers/scheduling_ddim.py",
    "kornia/augmentation/base.py",
    "kornia/enhance/adjust.py",
    "kornia/feature/laf.py",
    "peft/tuners/lora/layer.py",
    "timm/layers/drop.py",
    "timm/models/resnet.py",
    "timm/models/swin_transformer.py",
    "timm/optim/adopt.py",
    "torch_geometric/nn/conv/gat_conv.py",
    "torchmetrics/functional/image/ssim.py",
    "torchvision/models/detection/roi_heads.py",
    "torchvision/models/resnet.py",
)
"""Files of the packages that the extra `frameworks` installs by exact version."""
OURS = ("examples", "tests/programs/whole_programs")
"""Folders of programs of our own."""
TORCH = "2.13.0"
"""The release that the files are analysed for."""
_RUNS = ("run_program", "run_function", "run_driver")


@contextmanager
def counted() -> Iterator[list[int]]:
    """Analyse as a new process does while this lasts; add the steps of each entry, and of each object made for the
    methods of a class, to the list."""
    found: list[int] = []

    def count(run: Callable[..., Outcome]) -> Callable[..., Outcome]:
        def run_and_count(*given: object) -> Outcome:
            outcome = run(*given)
            found.append(outcome.steps)
            return outcome

        return run_and_count

    make = ClassFixtures.find_fixture

    def find_fixture(made: ClassFixtures, path: tuple[str, ...], *given: object) -> ClassFixture:
        is_new = path not in made._made
        fixture = make(made, path, *given)  # type: ignore[arg-type]
        if is_new:
            found.append(INIT_STEPS - made.runner.machine.steps)
        return fixture

    with (
        patch.object(engine, "_MEMORY", AnalysisMemory()),
        patch.multiple(outcomes, **{name: count(getattr(outcomes, name)) for name in _RUNS}),
        patch.object(ClassFixtures, "find_fixture", find_fixture),
        patch.object(fixtures, "_IDLE", []),
    ):
        yield found


def count_steps(text: str, filename: str, facts: Facts = NO_FACTS) -> int:
    """Return the steps that the analysis of a text takes."""
    with counted() as found:
        engine.analyse_source(text, filename, facts)
    return sum(found)


def count_calls(text: str, filename: str) -> int:
    """Return how many functions of Python the analysis of a text calls: its work, all of it."""
    found = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal found
        found += event == "call"

    with counted():
        engine.analyse_source(text, filename)  # what is parsed is kept
    with counted():
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            engine.analyse_source(text, filename)
        finally:
            sys.setprofile(before)
    return found


def find_file(name: str) -> Path | None:
    """Return one of the files that are recorded, by its name in the package or in the project; None if the package is
    not installed."""
    if name not in FRAMEWORKS:
        return ROOT / name
    package, _, inside = name.partition("/")
    spec = find_spec(package)
    return Path(spec.submodule_search_locations[0], inside) if spec and spec.submodule_search_locations else None


def count_steps_of(name: str) -> int | None:
    """Return the steps of a file that is recorded, None if its package is not installed."""
    path = find_file(name)
    if path is None:
        return None
    return count_steps(path.read_text(encoding="utf-8"), str(path), make_facts(replace(DEFAULT, torch=TORCH)))


def main() -> None:
    """Record the steps of all files."""
    ours = (path for folder in OURS for path in (ROOT / folder).rglob("*.py"))
    names = [*FRAMEWORKS, *sorted(path.relative_to(ROOT).as_posix() for path in ours)]
    found = {name: count_steps_of(name) for name in names}
    missing = [name for name, steps in found.items() if steps is None]
    if missing:
        raise SystemExit(f"not installed: {', '.join(missing)}; pip install -e '.[frameworks]'")
    RECORDED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(f"{RECORDED}: {sum(filter(None, found.values())):,} steps in {len(found)} files")  # noqa: T201


if __name__ == "__main__":
    main()
