"""`inplace-lsp why`: an error's text in, the line that wrote out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.commandline import FINE, HAZARD, inplace_lsp

MESSAGE = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead. Hint: "
    "enable anomaly detection to find the operation that failed to compute its gradient."
)
MESSAGE_OF_A_STEP = MESSAGE.replace("ExpBackward0", "AsStridedBackward0").replace("[3]", "[4, 1]")
STEP = """\
import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.rand(2, 4, requires_grad=True)
first, second = net(x).mean(), net(x).square().mean()
first.backward()
opt.step()
second.backward()
"""
LEAF = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(HAZARD, encoding="utf-8")
    (tmp_path / "fine.py").write_text(FINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*arguments: str | Path, stdin: str) -> dict[str, Any]:
    result = inplace_lsp("why", "--output-format", "json", *arguments, stdin=stdin)
    assert result.exit_code in (0, 1), result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_the_contract_of_the_json(project: Path) -> None:
    answer = told("-", project, stdin=MESSAGE)
    assert answer["error"] == {
        "kind": "saved",
        "op": "ExpBackward0",
        "output": 0,
        "shape": [3],
        "found": 1,
        "expected": 0,
    }
    first = answer["candidates"][0]
    assert {"rank", "code", "filename", "location", "message", "reasons", "related"} <= first.keys()
    assert (first["rank"], first["code"], first["location"]) == (1, "IP101", {"row": 5, "column": 1})
    assert first["filename"] == str(project / "train.py")
    assert any("fits 0 -> 1" in reason for reason in first["reasons"])
    assert [place["role"] for place in first["related"]] == ["saved", "backward"]
    assert answer["unreached"] == []


def test_standard_input_and_the_current_folder_go_without_saying(project: Path) -> None:
    result = inplace_lsp("why", stdin=MESSAGE)
    assert result.exit_code == 0
    assert "1. train.py:5:1: IP101" in result.stdout
    assert "torch names `ExpBackward0`" in result.stdout


def test_the_message_may_lie_in_a_file(project: Path) -> None:
    (project / "error.log").write_text(MESSAGE, encoding="utf-8")
    assert "1. train.py:5:1: IP101" in inplace_lsp("why", "error.log", ".").stdout


def test_what_check_is_not_sure_of_counts(project: Path) -> None:
    """No backward in sight: `check` says nothing of a step behind a loss that somebody else walks."""
    text = "def change(out):\n    y = out.exp()\n    y.add_(1)\n    return y\n"
    (project / "train.py").write_text(f"import torch\n\n\n{text}", encoding="utf-8")
    first = told("-", stdin=MESSAGE)["candidates"][0]
    assert first["location"]["row"] == 6


def test_a_comment_hides_nothing_from_an_error(project: Path) -> None:
    (project / "train.py").write_text(HAZARD.replace("add_(1)", "add_(1)  # inplace: ignore"), encoding="utf-8")
    assert told("-", stdin=MESSAGE)["candidates"][0]["location"]["row"] == 5


def test_nothing_fits(project: Path) -> None:
    result = inplace_lsp("why", stdin=LEAF)
    assert result.exit_code == 1
    assert "Nothing in 2 files fits." in result.stdout
    assert "inplace-lsp trace" in result.stdout


def test_what_was_not_understood_is_said(project: Path) -> None:
    (project / "broken.py").write_text("import torch\n\ndef f(x:\n    x += 1\n", encoding="utf-8")
    answer = told("-", stdin=LEAF)
    assert answer["candidates"] == []
    assert answer["unreached"]
    assert answer["unreached"][0].startswith(f"{project / 'broken.py'}:")
    assert "broken.py:" in inplace_lsp("why", stdin=LEAF).stdout


def test_the_line_that_torch_refused_needs_no_tape(project: Path) -> None:
    """The traceback of a write that torch refuses ends on the line to blame."""
    (project / "opaque.py").write_text("from library import weight\n\nweight().w.add_(1)\n", encoding="utf-8")
    trace = 'Traceback (most recent call last):\n  File "/far/opaque.py", line 3, in <module>\n    weight().w.add_(1)\n'
    first = told("-", stdin=trace + LEAF)["candidates"][0]
    assert (Path(first["filename"]).name, first["location"]["row"], first["code"]) == ("opaque.py", 3, "IP201")


def test_a_traceback_of_an_older_text_leads_to_where_the_line_is_now(project: Path) -> None:
    (project / "opaque.py").write_text("from library import weight\n\n\n\nweight().w.add_(1)\n", encoding="utf-8")
    trace = 'Traceback (most recent call last):\n  File "/far/opaque.py", line 3, in <module>\n    weight().w.add_(1)\n'
    assert told("-", stdin=trace + LEAF)["candidates"][0]["location"]["row"] == 5


@pytest.mark.parametrize("text", ["", "hello", "RuntimeError: CUDA out of memory"])
def test_a_text_without_such_an_error(project: Path, text: str) -> None:
    result = inplace_lsp("why", stdin=text)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "standard input contains no PyTorch error about an in-place write" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.log",), "cannot read missing.log"),
        (("-", "missing"), "missing: no such file or folder"),
        (("-", "empty"), "no Python files to search"),
    ],
)
def test_what_cannot_be_read(project: Path, arguments: tuple[str, ...], said: str) -> None:
    (project / "empty").mkdir()
    result = inplace_lsp("why", *arguments, stdin=MESSAGE)
    assert result.exit_code == 2
    assert said in result.stderr


def test_diff_shows_the_repair_of_the_first(project: Path) -> None:
    result = inplace_lsp("why", "--diff", stdin=MESSAGE)
    assert result.exit_code == 0
    assert "-y.add_(1)\n+y = y.add(1)\n" in result.stdout
    assert (project / "train.py").read_text(encoding="utf-8") == HAZARD


def test_fix_makes_it(project: Path) -> None:
    result = inplace_lsp("why", "--fix", stdin=MESSAGE)
    assert result.exit_code == 0
    assert "Repaired train.py:5" in result.stderr
    assert "y = y.add(1)" in (project / "train.py").read_text(encoding="utf-8")


def test_an_unsafe_repair_is_asked_for(project: Path) -> None:
    text = STEP
    (project / "train.py").write_text(text, encoding="utf-8")
    result = inplace_lsp("why", "--fix", stdin=MESSAGE_OF_A_STEP)
    assert result.exit_code == 2
    assert "--unsafe-fixes makes it" in result.stderr
    assert (project / "train.py").read_text(encoding="utf-8") == text
    assert inplace_lsp("why", "--fix", "--unsafe-fixes", stdin=MESSAGE_OF_A_STEP).exit_code == 0
    assert (project / "train.py").read_text(encoding="utf-8") != text


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# An example"]},
        {
            "cell_type": "code",
            "source": ["import torch\n", "%matplotlib inline\n", "x = torch.rand(3).requires_grad_()"],
        },
        {"cell_type": "code", "source": ["y = x.exp()\n", "y.add_(1)\n", "y.sum().backward()"]},
    ],
    "nbformat": 4,
    "nbformat_minor": 5,
}
IN_A_CELL = f"""\
RuntimeError                              Traceback (most recent call last)
Cell In[2], line 3
      1 y = x.exp()
      2 y.add_(1)
----> 3 y.sum().backward()

{MESSAGE}
"""


def test_a_notebook_is_told_in_cells(project: Path) -> None:
    (project / "train.py").unlink()
    (project / "study.ipynb").write_text(json.dumps(NOTEBOOK, indent=1), encoding="utf-8")
    first = told("-", stdin=IN_A_CELL)["candidates"][0]
    assert (Path(first["filename"]).name, first["cell"], first["location"]["row"]) == ("study.ipynb", 3, 2)
    assert "the traceback goes through the backward on line 3 of cell 3" in first["reasons"]
    assert [place["cell"] for place in first["related"]] == [3, 3]
    assert "1. study.ipynb:cell 3:2:1: IP101" in inplace_lsp("why", stdin=IN_A_CELL).stdout
    inplace_lsp("why", "--fix", stdin=IN_A_CELL)
    repaired = json.loads((project / "study.ipynb").read_text(encoding="utf-8"))
    assert repaired["cells"][2]["source"][1] == "y = y.add(1)\n"


@pytest.mark.parametrize(
    "data", [b"\xe9\xff\n" + MESSAGE.encode(), MESSAGE.encode("utf-16"), b"\0\n" + MESSAGE.encode()]
)
def test_a_log_need_not_be_clean(project: Path, data: bytes) -> None:
    (project / "error.log").write_bytes(data)
    assert told("error.log", ".", stdin="")["candidates"][0]["location"]["row"] == 5
