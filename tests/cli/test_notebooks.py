"""`check` of notebooks: cells are named, and repairs change nothing but the lines they repair."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from cli.commandline import found, inplace_lsp
from inplace_lsp.notebooks import read_notebook

CELLS = (
    ("markdown", ["# Größe\n", "text"]),
    ("code", ["%matplotlib inline\n", "import torch\n", "x = torch.rand(3, requires_grad=True)"]),
    ("code", ["%%bash\n", "ls *.pt"]),
    ("code", []),
    ("code", ["y = x.exp()\n", "!nvidia-smi\n", "y.add_(\n", "    1)  # größe"]),
    ("code", ["y.sum().backward()\n"]),
)
HAZARD_CELL = 5


def notebook(*, as_text: bool = False, language: str = "python") -> dict[str, Any]:
    cells = []
    for number, (kind, lines) in enumerate(CELLS):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {"z": 1, "a": 2}}
        if kind == "code":
            cell |= {"execution_count": number, "outputs": []}
        cells.append({**cell, "source": "".join(lines) if as_text else lines})
    metadata = {"language_info": {"name": language}, "title": "größe"}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


STYLES = {
    "Jupyter": {"indent": 1, "ensure_ascii": False},
    "escaped": {"indent": 1},
    "one line": {},
    "dense": {"separators": (",", ":"), "ensure_ascii": False},
    "tabs": {"indent": "\t", "ensure_ascii": False},
}


@pytest.fixture(params=STYLES)
def text(request: pytest.FixtureRequest) -> str:
    return json.dumps(notebook(), **STYLES[request.param]) + "\n"


@pytest.fixture
def path(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "study.ipynb"
    path.write_text(text, encoding="utf-8")
    return path


def changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that are gone, and those that are new."""
    lines = list(difflib.ndiff(before.split("\n"), after.split("\n")))
    return [line[2:].strip() for line in lines if line[0] == "-"], [
        line[2:].strip() for line in lines if line[0] == "+"
    ]


def test_findings_name_cells_and_their_rows(path: Path):
    [finding] = found(path)
    assert (finding["cell"], finding["location"], finding["end_location"]) == (
        HAZARD_CELL,
        {"row": 3, "column": 1},
        {"row": 4, "column": 7},
    )
    assert [(place["role"], place["cell"], place["location"]["row"]) for place in finding["related"]] == [
        ("saved", HAZARD_CELL, 1),
        ("backward", HAZARD_CELL + 1, 1),
    ]
    assert f"`exp` on line 1 of cell {HAZARD_CELL} saved it" in finding["message"]


def test_the_frame_shows_each_cell(path: Path):
    stdout = inplace_lsp("check", path.parent).stdout
    assert f"{path}:cell 5:3:1: error[IP101]" in stdout
    assert "\n3 | y.add_(\n  | ^^^^^^^\n" in stdout
    assert f" ::: {path}:cell 6:1:1\n1 | y.sum().backward()\n" in stdout


def test_annotations_point_at_lines_of_the_file(path: Path, text: str):
    [issue] = json.loads(inplace_lsp("check", path, "--output-format", "gitlab").stdout)
    row = next(row for row, line in enumerate(text.split("\n"), start=1) if '"y.add_(' in line)
    assert issue["location"]["positions"]["begin"]["line"] == row


def test_a_repair_changes_the_lines_of_its_cell_alone(path: Path, text: str):
    before = nbformat.reads(text, as_version=4)
    result = inplace_lsp("check", "--fix", path)
    assert (result.exit_code, result.stderr) == (0, "Repaired 1 hazard.\n")
    after = nbformat.read(path, as_version=4)
    nbformat.validate(after)
    assert after["cells"][HAZARD_CELL - 1]["source"] == "y = x.exp()\n!nvidia-smi\ny = y.add(\n    1)  # größe"
    after["cells"][HAZARD_CELL - 1]["source"] = before["cells"][HAZARD_CELL - 1]["source"]
    assert after == before
    written = path.read_text(encoding="utf-8")
    if text.count("\n") > 1:
        gone, new = changed(text, written)
        assert (gone, new) == (['"y.add_(\\n",'], ['"y = y.add(\\n",'])
    assert written.replace("y = y.add(", "y.add_(") == text


def test_a_difference_and_a_comment(path: Path, text: str):
    shown = inplace_lsp("check", "--diff", path)
    assert (shown.exit_code, path.read_text(encoding="utf-8")) == (1, text)
    assert "y = y.add(" in shown.stdout
    assert inplace_lsp("check", "--suppress", "known", path).exit_code == 0
    cell = json.loads(path.read_text(encoding="utf-8"))["cells"][HAZARD_CELL - 1]
    assert cell["source"][-1] == "    1)  # größe  # inplace: ignore[IP101]  known"
    assert found(path) == []


def test_a_source_that_is_one_string_stays_one(tmp_path: Path):
    path = tmp_path / "study.ipynb"
    text = json.dumps(notebook(as_text=True), indent=2, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    assert found(path)[0]["cell"] == HAZARD_CELL
    inplace_lsp("check", "--fix", path)
    assert path.read_text(encoding="utf-8") == text.replace("y.add_(", "y = y.add(")


def test_from_standard_input_to_standard_output(text: str):
    result = inplace_lsp("check", "--fix", "--stdin-filename", "study.ipynb", "-", stdin=text)
    assert (result.exit_code, result.stdout) == (0, text.replace("y.add_(", "y = y.add("))


def test_another_language_has_no_findings(tmp_path: Path):
    (tmp_path / "study.ipynb").write_text(json.dumps(notebook(language="R")))
    assert found(tmp_path) == []


def test_a_folder_of_checkpoints_is_passed_over(path: Path):
    kept = path.parent / ".ipynb_checkpoints"
    kept.mkdir()
    (kept / "study-checkpoint.ipynb").write_bytes(path.read_bytes())
    assert [finding["filename"] for finding in found(path.parent)] == [str(path)]


def test_what_was_found_before_is_told_in_cells_too(path: Path):
    assert found(path) == found(path)


def test_a_program_is_as_long_as_its_cells(text: str):
    book = read_notebook(text)
    rows = [cell.first_row for cell in book.cells]
    assert rows == [1, 4, 6, 7, 11]
    assert book.program.count("\n") == 11
    assert book.program.split("\n")[3:5] == ["#%%bash", "#ls *.pt"]
    assert "pass #!nvidia-smi" in book.program


@pytest.mark.parametrize("place", ["", ":cell 5:3", ":{line}"])
def test_a_notebook_is_verified(path: Path, text: str, place: str):
    pytest.importorskip("torch")
    line = next(row for row, line in enumerate(text.split("\n"), start=1) if "y.add_(" in line)
    result = inplace_lsp("verify", f"{path}{place.format(line=line)}", "--output-format", "json")
    told = json.loads(result.stdout)
    assert told["verdict"] == "confirmed", told["reason"]
    [violation] = told["violations"]
    assert violation["written"]["filename"] == f"{path}:cell {HAZARD_CELL}"
    assert violation["written"]["location"]["row"] == 3
    assert f"line 1 of cell {HAZARD_CELL}" in told["reason"]


def test_a_line_of_no_cell_is_refused(path: Path):
    result = inplace_lsp("verify", f"{path}:cell 1:1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no line 1 in code cell 1" in result.stderr
