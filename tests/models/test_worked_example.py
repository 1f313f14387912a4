"""The example of docs/models.md, followed step by step: its files are written, its commands print what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp, rows

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
STEPS = re.findall(r"(?:`([\w./]+)`:\n\n)?```(\w+)\n(.*?)```", PAGE, re.DOTALL)
"""File name, language and text of each block."""


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of somebody who did all that the page says, and saw what it shows."""
    monkeypatch.chdir(tmp_path)
    for name, language, text in STEPS:
        if language == "console":
            command, _, shown = text.removeprefix("$ inplace-lsp ").partition("\n")
            printed = inplace_lsp(*command.split(), "--no-cache").stdout
            assert all(piece in printed for piece in shown.split("[...]\n"))
        else:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return tmp_path


def test_the_page_can_be_followed(followed: Path):
    assert inplace_lsp("tape", "train.py:17").exit_code == 0


def test_the_optimizer_of_the_example_steps_what_it_was_given(followed: Path):
    program = (followed / "train.py").read_text().replace("        hidden += 1\n", "")
    (followed / "train.py").write_text(program + "loss = model(torch.randn(4, 8))\noptimizer.step()\nloss.backward()\n")
    assert rows("train.py") == [("train.py", 24, "IP102")]
