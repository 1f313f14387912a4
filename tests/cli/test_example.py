"""The bundled example: what torch says about each of its pieces, and that `check` says the same."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cli.commandline import found, inplace_lsp

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "train_vae.py"
TEXT = EXAMPLE.read_text(encoding="utf-8")

SIGMOID = "pixels.clamp_(1e-6, 1 - 1e-6)"
SILENT = "variance.data.clamp_(max=10.0)"
LEAF = "parameter.clamp_(-limit, limit)"
EARLY_STEP = "optimizer.step()  # writes"


def row(code: str) -> int:
    """The row on which `code` stands; it stands on one only."""
    [only] = [number for number, line in enumerate(TEXT.split("\n"), start=1) if code in line]
    return only


def load(text: str) -> ModuleType:
    """The example as a module, with its text changed."""
    spec = importlib.util.spec_from_loader("train_vae", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["train_vae"] = module
    exec(compile(text, str(EXAMPLE), "exec"), module.__dict__)
    return module


def without(*repairs: tuple[str, str]) -> ModuleType:
    """The example with these pieces of code replaced."""
    text = TEXT
    for broken, repaired in repairs:
        assert broken in text
        text = text.replace(broken, repaired)
    return load(text)


FIXED_SIGMOID = (SIGMOID, "pixels = pixels.clamp(1e-6, 1 - 1e-6)")
FIXED_STEP = (EARLY_STEP, "# writes")
FIXED_LEAF = (LEAF, "parameter.data.clamp_(-limit, limit)")


def test_torch_stumbles_over_one_hazard_after_the_other_and_runs_without_them():
    for repairs, error in [
        ((), "modified by an inplace operation"),
        ((FIXED_SIGMOID,), "modified by an inplace operation"),
        ((FIXED_SIGMOID, FIXED_STEP), "leaf Variable that requires grad"),
    ]:
        module = without(*repairs)
        with pytest.raises(RuntimeError, match=error):
            module.train(module.Settings())
    module = without(FIXED_SIGMOID, FIXED_STEP, FIXED_LEAF)
    assert module.train(module.Settings()) > 0


def test_the_write_through_data_changes_the_gradient_without_a_word():
    import torch

    def gradient(module: ModuleType) -> torch.Tensor:
        log_variance = torch.full((2, 3), 5.0, requires_grad=True)
        module.kl_divergence(torch.zeros(2, 3), log_variance).backward()
        assert log_variance.grad is not None
        return log_variance.grad

    assert not torch.allclose(gradient(without()), gradient(without((SILENT, "pass"))))


def test_check_finds_the_four_and_nothing_else():
    assert [(finding["location"]["row"], finding["code"]) for finding in found(EXAMPLE)] == [
        (row(SIGMOID), "IP101"),
        (row(SILENT), "IP301"),
        (row(LEAF), "IP201"),
        (row(EARLY_STEP), "IP102"),
    ]


def test_make_demo_shows_the_tape_of_the_first():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    line = re.search(r"^EXAMPLE_LINE := (\d+)$", makefile, re.MULTILINE)
    assert line is not None
    assert int(line[1]) == row(SIGMOID)
    result = inplace_lsp("tape", f"{EXAMPLE}:{line[1]}")
    assert result.exit_code == 0
    assert "clamp_ writes pixels" in result.stdout
    assert "0 -> 1" in result.stdout
