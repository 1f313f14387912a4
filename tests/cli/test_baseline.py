"""`check --baseline`: what is known is not reported, wherever it has moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD, inplace_lsp, rows

SECOND = HAZARD.replace("y.sum()", "z = x.exp()\nz.mul_(2)\n(y + z).sum()")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(HAZARD)
    assert written(tmp_path) == "Wrote 1 finding to"
    return tmp_path


def written(folder: Path, *arguments: str) -> str:
    result = inplace_lsp("check", folder, "--baseline", folder / "known.json", "--write-baseline", *arguments)
    assert result.exit_code == 0
    return result.stderr.partition(f" {folder}")[0]


def new(folder: Path, *arguments: str) -> list[tuple[str, int, str]]:
    return rows(folder, "--baseline", folder / "known.json", *arguments)


def test_what_is_known_is_not_reported(folder: Path):
    result = inplace_lsp("check", folder, "--baseline", folder / "known.json")
    assert result.exit_code == 0
    assert result.stdout == f"Nothing found in 1 file.\nBaseline {folder}/known.json: 1 known finding not shown.\n"
    assert rows(folder) == [("train.py", 5, "IP101")]


def test_the_file_tells_people_what_is_known_and_no_rows(folder: Path):
    [entry] = json.loads((folder / "known.json").read_text())["findings"]
    assert len(entry.pop("fingerprint")) == 32
    assert entry == {"code": "IP101", "file": "train.py", "function": "", "statement": "y.add_(1)"}


def test_lines_above_may_move_it(folder: Path):
    (folder / "train.py").write_text("# a\n\n# b\n" + HAZARD.replace("y.add_(1)", "y.add_( 1 )  # why"))
    assert new(folder) == []


def test_a_call_that_makes_it_certain_changes_nothing(tmp_path: Path):
    """The strongest evidence may come by another way."""
    function = "import torch\n\n\ndef shift(w):\n    y = w.exp()\n    y.add_(1)\n    y.sum().backward()\n"
    (tmp_path / "train.py").write_text(function)
    written(tmp_path)
    (tmp_path / "train.py").write_text(f"{function}\n\nshift(torch.rand(3, requires_grad=True))\n")
    assert rows(tmp_path) == [("train.py", 6, "IP101")]
    assert new(tmp_path) == []


def test_it_may_lie_beside_the_sources(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory):
    for name in ("src", "ci"):
        (tmp_path / name).mkdir()
    (tmp_path / "src" / "train.py").write_text(HAZARD)
    inplace_lsp("check", tmp_path / "src", "--baseline", tmp_path / "ci" / "known.json", "--write-baseline")
    clone = tmp_path.rename(tmp_path_factory.mktemp("elsewhere") / "clone")
    assert rows(clone / "src", "--baseline", clone / "ci" / "known.json") == []


def test_a_second_one_is_new(folder: Path):
    (folder / "train.py").write_text(SECOND)
    assert new(folder) == [("train.py", 7, "IP101")]
    (folder / "train.py").write_text(SECOND.replace("z.mul_(2)", "y.add_(1)").replace("z = x.exp()\n", "z = y + 1\n"))
    assert len(new(folder)) == 1  # the same statement once more


def test_it_holds_wherever_the_repository_lies(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "clone"
    folder.rename(elsewhere)
    assert new(elsewhere) == []


def test_what_is_gone_is_counted_and_dropped(folder: Path):
    (folder / "train.py").write_text(FINE)
    result = inplace_lsp("check", folder, "--baseline", folder / "known.json")
    assert result.stdout.endswith("known.json: 1 no longer found (--write-baseline removes it).\n")
    assert written(folder) == "Wrote 0 findings to"
    (folder / "train.py").write_text(HAZARD)
    assert len(new(folder)) == 1


def test_files_that_are_not_checked_stay_known(folder: Path):
    (folder / "other.py").write_text(HAZARD)
    result = inplace_lsp(
        "check", folder / "other.py", "--baseline", folder / "known.json", "--write-baseline", "--quiet"
    )
    assert (result.exit_code, result.output) == (0, "")
    assert new(folder) == []


def test_what_is_known_is_not_commented(folder: Path):
    (folder / "train.py").write_text(SECOND)
    inplace_lsp("check", folder, "--baseline", folder / "known.json", "--suppress", "why")
    assert (folder / "train.py").read_text().count("ignore[IP101]  why") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "there is no baseline"),
        ("{", "not valid JSON"),
        ("[]", "is not a baseline of inplace-lsp"),
        ('{"version": 2, "findings": []}', "is not a baseline of inplace-lsp"),
        ('{"version": 1, "findings": [1]}', "is not a baseline of inplace-lsp"),
    ],
)
def test_what_is_no_baseline_is_status_2(tmp_path: Path, text: str | None, why: str):
    path = tmp_path / "known.json"
    if text is not None:
        path.write_text(text)
    result = inplace_lsp("check", tmp_path, "--baseline", path)
    assert (result.exit_code, why in result.stderr, result.stdout) == (2, True, "")


def test_a_baseline_that_cannot_be_written(tmp_path: Path):
    result = inplace_lsp("check", tmp_path, "--baseline", tmp_path / "no" / "known.json", "--write-baseline")
    assert (result.exit_code, "cannot be written: No such file" in result.stderr) == (2, True)
    assert inplace_lsp("check", tmp_path, "--write-baseline").exit_code == 2


def test_a_repair_leaves_what_is_known_alone(folder: Path):
    train = folder / "train.py"
    more = "z = x.exp()\nz.mul_(2)\nz.sum().backward()\n"
    train.write_text(f"# moved\n{HAZARD}{more}")
    result = inplace_lsp("check", folder, "--baseline", folder / "known.json", "--fix", "--exit-non-zero-on-fix")
    assert (result.exit_code, result.stderr) == (1, "Repaired 1 hazard.\n")
    assert result.stdout.endswith(f"Baseline {folder}/known.json: 1 known finding not shown.\n")
    assert train.read_text() == f"# moved\n{HAZARD}{more}".replace("z.mul_(2)", "z = z.mul(2)")
    assert inplace_lsp("check", folder, "--baseline", folder / "known.json", "--diff").exit_code == 0


def test_a_repair_leaves_what_is_known_in_another_file_alone(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text("")
    helpers = "def scale(values):\n    values.mul_(2)\n    return values\n"
    calls = "x = torch.rand(3, requires_grad=True)\ny = x.exp()\nz = scale(y)\nz.sum().backward()\n"
    (tmp_path / "helpers.py").write_text(helpers)
    (tmp_path / "train.py").write_text(f"import torch\n\nfrom helpers import scale\n\n{calls}")
    written(tmp_path)
    result = inplace_lsp("check", tmp_path, "--baseline", tmp_path / "known.json", "--fix")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (tmp_path / "helpers.py").read_text() == helpers
    assert inplace_lsp("check", tmp_path, "--fix").stderr == "Repaired 1 hazard.\n"
