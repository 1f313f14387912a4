"""`inplace-lsp verify --memory`: the peak of a function's forward and backward, as it is and with writes in place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp

pytestmark = pytest.mark.xdist_group("cli-verify")
PYTHON = ("--python", sys.executable, "--device", "cpu")
MIB, ROW = 2**20, 15
NET = (Path(__file__).parents[2] / "examples" / "net.py").read_text(encoding="utf-8")
"""What `act` is given, and what it gives, are 2 MiB each, twice; out of place all four are kept until backward."""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    file = tmp_path / "net.py"
    file.write_text(NET)
    return file


def test_memory_is_measured_with_and_without_the_write_in_place(net: Path) -> None:
    result = inplace_lsp("verify", "--memory", f"{net}:{ROW}", *PYTHON, "--output-format", "json")
    told = json.loads(result.output)
    use, changed = told["use"], told["changed"]
    assert result.exit_code == 0 and told["difference"] == ""
    assert [offer["row"] for offer in told["offers"]] == [9]
    assert use["peak"] - changed["peak"] == pytest.approx(2 * MIB, rel=0.1)
    after = {(step["span"]["row"], step["walking"]): step["size"] for step in use["steps"]}
    assert after[15, False] - after[14, False] == pytest.approx(2 * MIB)
    less = {(step["span"]["row"], step["walking"]): step["size"] for step in changed["steps"]}
    assert less[15, False] == less[14, False] == after[14, False]
    assert sum(kept["size"] for kept in use["kept"]) - sum(kept["size"] for kept in changed["kept"]) == 4 * MIB
    assert {tuple(kept["shape"]) for kept in use["kept"] if kept["span"]["row"] == 15} == {(512, 1024)}


def test_a_number_is_the_limit_as_before(tmp_path: Path) -> None:
    file = tmp_path / "large.py"
    file.write_text("import torch\nx = torch.zeros(1 << 28)\n")
    for option in ("--memory", "--memory-limit"):
        result = inplace_lsp("verify", option, "0.2", file, *PYTHON)
        assert "it ran out of memory (--memory-limit allows more)" in " ".join(result.output.split())


def test_what_cannot_be_measured_says_why(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def broken(x: int):\n    raise ValueError('no')\n")
    result = inplace_lsp("verify", "--memory", f"{file}:2", *PYTHON)
    assert result.exit_code == 2
    assert "broken.py::broken: not measured, ValueError: no" in " ".join(result.output.split())


def test_options_that_do_not_go_together_are_refused(net: Path) -> None:
    for options in (("--all",), ("--output-format", "svg")):
        result = inplace_lsp("verify", "--memory", f"{net}:{ROW}", *PYTHON, *options)
        assert result.exit_code == 2 and "--memory" in result.output
    assert "Missing argument" in inplace_lsp("verify", "--memory", "3").output
