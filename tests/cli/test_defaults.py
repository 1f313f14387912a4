"""Options of `check` in pyproject.toml: the command line goes first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commandline import HAZARD, inplace_lsp

UNSAFE = """\
from torch import nn
import torch

critic = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
step_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
loss_generator = -critic(torch.rand(5, 3)).mean()
loss_critic = critic(torch.rand(5, 3)).mean()
loss_critic.backward()
step_critic.step()
loss_generator.backward()
"""


HINT = """\
import torch


def spread(batch):
    y = batch.exp()
    y.add_(1)
    return y
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(HAZARD)
    return tmp_path


def configure(project: Path, body: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.inplace-lsp]\n{body}\n")


def severities(*options: str) -> list[str]:
    found = json.loads(inplace_lsp("check", "train.py", "--output-format", "json", *options).stdout)
    return [finding["severity"] for finding in found]


def test_a_code_has_another_severity(project: Path) -> None:
    assert severities() == ["error"]
    configure(project, "[tool.inplace-lsp.severity]\nIP1 = 'warning'")
    assert severities() == ["warning"]
    assert inplace_lsp("check", "train.py", "--severity", "error").exit_code == 0


def test_the_longest_prefix_decides(project: Path) -> None:
    configure(project, "[tool.inplace-lsp.severity]\nALL = 'hint'\nIP101 = 'information'\nIP1 = 'warning'")
    assert severities() == ["information"]


def test_another_code_keeps_its_severity(project: Path) -> None:
    configure(project, "[tool.inplace-lsp.severity]\nIP3 = 'hint'")
    assert severities() == ["error"]


def test_a_hint_stays_a_hint(project: Path) -> None:
    (project / "train.py").write_text(HINT)
    assert severities() == ["hint"]
    configure(project, "[tool.inplace-lsp.severity]\nIP1 = 'error'")
    assert severities() == ["hint"]


def test_the_form_of_the_output(project: Path) -> None:
    configure(project, "output-format = 'concise'")
    assert inplace_lsp("check", "train.py", "--quiet").stdout.count("\n") == 1
    assert inplace_lsp("check", "train.py", "--output-format", "json").stdout.startswith("[")


def test_a_form_that_does_not_exist_is_a_wrong_option(project: Path) -> None:
    configure(project, "output-format = 'xml'")
    result = inplace_lsp("check", "train.py")
    assert (result.exit_code, "output-format = 'xml': must be one of full, " in result.stderr) == (2, True)


def test_safe_repairs_are_made(project: Path) -> None:
    configure(project, "fix = true")
    assert inplace_lsp("check", "train.py", "--no-fix").exit_code == 1
    assert inplace_lsp("check", "train.py", "--diff").exit_code == 1
    assert inplace_lsp("check", "train.py", "--show-files").exit_code == 0
    assert (project / "train.py").read_text() == HAZARD
    assert inplace_lsp("check", "train.py").exit_code == 0
    assert "y = y.add(1)" in (project / "train.py").read_text()


def test_unsafe_repairs_are_shown(project: Path) -> None:
    (project / "train.py").write_text(UNSAFE)
    configure(project, "unsafe-fixes = true")
    assert inplace_lsp("check", "train.py", "--diff", "--no-unsafe-fixes").stdout == ""
    assert "+" in inplace_lsp("check", "train.py", "--diff").stdout


def test_known_findings_are_not_reported(project: Path) -> None:
    configure(project, "baseline = 'known.json'")
    assert inplace_lsp("check", "train.py", "--write-baseline").exit_code == 0
    assert (project / "known.json").exists()
    assert inplace_lsp("check", "train.py").exit_code == 0


def test_settings_are_shown_and_can_be_read_again(project: Path) -> None:
    configure(project, "fix = true\nbaseline = 'known.json'\n[tool.inplace-lsp.severity]\nIP1 = 'hint'")
    shown = inplace_lsp("check", "train.py", "--show-settings").stdout
    (project / "pyproject.toml").write_text(shown)
    assert inplace_lsp("check", "train.py", "--show-settings").stdout == shown
