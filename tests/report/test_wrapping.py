"""Text for people fits the columns there are: wrapped at words, indented, and never in the middle of code."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text

from cli.commandline import inplace_lsp
from inplace_lsp.engine import analyse_source
from inplace_lsp.report.lines import split_lines
from inplace_lsp.report.text import finding_text
from inplace_lsp.report.wrapping import wrap_line

PROGRAM = """\
import torch


def scale_all_of_them(first_of_the_inputs, second_of_the_inputs):
    activated = torch.sigmoid(first_of_the_inputs * second_of_the_inputs + first_of_the_inputs)
    if first_of_the_inputs.shape[0] > 3 and second_of_the_inputs.shape[0] > 3 and activated.ndim > 1:  # a long line
        activated.mul_(second_of_the_inputs)
    return activated


a = torch.rand(4, 4, requires_grad=True)
scale_all_of_them(a, torch.rand(4, 4)).sum().backward()
"""


def wrapped(line: str, columns: int, hang: int = 2, whole: int = 0) -> list[str]:
    return [piece.plain for piece in wrap_line(Text(line), columns, hang, whole)]


def test_words_are_wrapped_with_a_hanging_indent() -> None:
    assert wrapped("one two three four", 9) == ["one two", "  three", "  four"]
    assert wrapped("one two", 9) == ["one two"]


def test_code_and_versions_stay_in_one_piece() -> None:
    assert wrapped("write `y = y + 1` instead", 14) == ["write", "  `y = y + 1`", "  instead"]
    assert wrapped("here (version 0 -> 1), but", 16) == ["here (version", "  0 -> 1), but"]


def test_code_longer_than_a_line_is_wrapped() -> None:
    assert wrapped("`y = first + second + third`", 16) == ["`y = first +", "  second +", "  third`"]


def test_the_start_stays_whole() -> None:
    assert wrapped("a.py:1:1: error: and so on", 8, whole=16) == ["a.py:1:1: error:", "  and so", "  on"]


def test_wide_characters_take_two_columns() -> None:
    assert wrapped("張量 張量 張量", 9) == ["張量 張量", "  張量"]


@pytest.mark.parametrize("columns", [80, 100])
def test_a_finding_fits(columns: int) -> None:
    found = analyse_source(PROGRAM, "/project/train.py")
    sources = {"/project/train.py": split_lines(PROGRAM)}
    lines = [line.plain for each in found.findings for line in finding_text(each, sources, "/project", columns)]
    assert lines
    assert [line for line in lines if len(line) > columns] == []
    assert any("activated.mul_" in line for line in lines)


def test_every_word_is_still_there() -> None:
    found = analyse_source(PROGRAM, "/project/train.py")
    sources = {"/project/train.py": split_lines(PROGRAM)}
    for each in found.findings:
        head = next(finding_text(each, sources, "/project")).plain
        start = " ".join(line.plain.strip() for line in finding_text(each, sources, "/project", 80))
        assert start.startswith(head)


def test_a_pipe_gets_100_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(PROGRAM)
    result = inplace_lsp("check", "train.py", "--no-cache")
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if len(line) > 100] == []
