"""`inplace-lsp check --suggest`: offers beside findings, which are no problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commandline import Result, inplace_lsp

TEXT = """\
import torch
from torch import nn

fc = nn.Linear(3, 3)


def forward(x):
    x = x * fc.weight.sum()
    x = torch.relu(x)
    return fc(x)
"""


def check(folder: Path, *options: str) -> Result:
    file = folder / "net.py"
    file.write_text(TEXT)
    return inplace_lsp("check", "--no-cache", *options, file)


def test_offers_are_off_by_default(tmp_path: Path) -> None:
    result = check(tmp_path)
    assert result.exit_code == 0 and "IP501" not in result.stdout


def test_an_offer_is_no_problem(tmp_path: Path) -> None:
    result = check(tmp_path, "--suggest")
    assert result.exit_code == 0
    assert "net.py:9:9: information[IP501] may-write-in-place: `torch.relu` may" in " ".join(result.stdout.split())
    assert "Nothing found in 1 file. 1 op may write in place (`inplace-lsp explain IP501`)." in result.stdout


def test_a_selected_offer_counts(tmp_path: Path) -> None:
    assert check(tmp_path, "--select", "IP5").exit_code == 1
    assert check(tmp_path, "--select", "IP").exit_code == 0


def test_json_has_the_edit(tmp_path: Path) -> None:
    (found,) = json.loads(check(tmp_path, "--suggest", "--output-format", "json").stdout)
    assert found["code"] == "IP501" and found["severity"] == "information" and found["fixable"] is None
    (edit,) = found["fix"]["edits"]
    assert edit["content"] == "_" and edit["location"] == {"row": 9, "column": 19}


def test_offers_are_not_made_by_fix(tmp_path: Path) -> None:
    check(tmp_path, "--suggest", "--fix")
    assert (tmp_path / "net.py").read_text() == TEXT


@pytest.mark.parametrize("table", ["suggest = true", 'select = ["IP", "IP5"]'])
def test_a_project_can_ask(tmp_path: Path, table: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.inplace-lsp]\n{table}\n")
    assert "IP501" in check(tmp_path).stdout


def test_junit_takes_it_for_no_failure(tmp_path: Path) -> None:
    result = check(tmp_path, "--suggest", "--output-format", "junit")
    assert "<skipped" in result.stdout and "<failure" not in result.stdout
