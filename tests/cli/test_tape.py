"""`inplace-lsp tape FILE:LINE --output-format html`: a small page about one finding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_vae.py"
KB = 1000


def page(line: int, *options: str) -> str:
    result = inplace_lsp("tape", f"{EXAMPLE}:{line}", "--output-format", "html", *options)
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("line", [73, 97, 104])
def test_a_page_is_small_and_about_its_finding(line: int) -> None:
    """Its title names the file and line, and what to do stands on it."""
    text = page(line)
    assert len(text.encode()) < 300 * KB
    assert f"<title>train_vae.py:{line}: " in text
    assert "&lt;module&gt;" not in text
    assert re.search(r"What to do:</strong> .*<code>--fix", text)


def test_the_whole_is_shown_if_wanted() -> None:
    assert 'aria-label="What else is in this trace"' not in page(73)
    assert 'aria-label="What else is in this trace"' in page(73, "--whole")
