"""A run finds the files of its project by relative paths, and changes none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.verify.client import Client
from verify.ways import verdict

PROGRAM = """
import os
import shutil
from pathlib import Path
import torch

{statements}
x = torch.rand(3, requires_grad=True)
y = x.exp()
{write}
y.sum().backward()
"""
CHANGES = {
    "remove": """
if os.path.exists("train.log"):
    os.remove("train.log")
assert not os.path.exists("train.log")
""",
    "remove a file that another is written over": """
open("train.log", "w").close()
while os.path.exists("train.log"):
    os.unlink("train.log")
""",
    "remove, and write again": """
Path("train.log").unlink()
Path("train.log").write_text("new")
assert os.path.isfile("train.log") and open("train.log").read() == "new"
""",
    "remove twice": """
os.remove(path="./train.log")
try:
    os.remove("train.log")
except FileNotFoundError:
    Path("train.log").unlink(missing_ok=True)
else:
    raise ValueError
""",
    "rename": """
os.rename("train.log", "older.log")
assert open("older.log").read() == "old" and not os.path.exists("train.log")
""",
    "replace by another": """
Path("new.log").write_text("new")
os.replace("new.log", "train.log")
assert open("train.log").read() == "new" and not os.path.exists("new.log")
""",
    "move below a folder": """
Path("train.log").replace("logs/first.log")
assert open("logs/first.log").read() == "old"
""",
    "move": """
os.makedirs("kept")
shutil.move("train.log", "kept")
assert os.listdir("kept") == ["train.log"] and not os.path.exists("train.log")
""",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_run_removes_stays_in_the_project(client: Client, change: str, tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("old", encoding="utf-8")
    text = PROGRAM.replace("{statements}", CHANGES[change])
    for write, expected in (("y += 1", "confirmed"), ("y = y + 1", "not-reproduced")):
        answer = verdict(client, text.replace("{write}", write), file=tmp_path / "program.py")
        assert answer.verdict == expected, answer.reason
    assert log.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [log]


MADE = """
here = os.path.dirname(os.path.abspath(__file__))
runs = os.path.join(here, "runs", "first")
os.makedirs(runs, exist_ok=True)
os.makedirs(os.path.join(runs, "images"), exist_ok=True)
with open(os.path.join(runs, "images", "log.txt"), "w") as log:
    log.write("new")
assert os.path.isdir(runs) and open(os.path.join(runs, "images", "log.txt")).read() == "new"
"""


def test_a_folder_that_a_run_makes_in_the_project_is_one_of_its_own(client: Client, tmp_path: Path) -> None:
    text = PROGRAM.replace("{statements}", MADE)
    for write, expected in (("y += 1", "confirmed"), ("y = y + 1", "not-reproduced")):
        answer = verdict(client, text.replace("{write}", write), file=tmp_path / "program.py")
        assert answer.verdict == expected, answer.reason
    assert not [*tmp_path.iterdir()]


def test_a_folder_elsewhere_is_not_made(client: Client, tmp_path: Path) -> None:
    elsewhere = tmp_path / "other" / "runs"
    (tmp_path / "project").mkdir()
    text = PROGRAM.replace("{statements}", f"os.makedirs({str(elsewhere)!r}, exist_ok=True)").replace(
        "{write}", "y += 1"
    )
    answer = verdict(client, text, file=tmp_path / "project" / "program.py")
    assert answer.verdict == "inconclusive"
    assert not elsewhere.exists()


def test_a_file_that_is_nowhere_cannot_be_removed(client: Client, tmp_path: Path) -> None:
    for statement in ("os.remove('other.log')", "os.rename('other.log', 'older.log')"):
        text = PROGRAM.replace("{statements}", statement).replace("{write}", "y += 1")
        answer = verdict(client, text, file=tmp_path / "program.py")
        assert answer.verdict == "inconclusive"
        assert "other.log" in answer.reason
