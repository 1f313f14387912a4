"""The playground: in headless Chromium as it is served, and its archive alone, which must need nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from inplace_lsp.fixes.offer import fixes_for
from inplace_lsp.project import check_text
from integrations.conftest import made_once
from playground_parts import list_examples, write_archive
from website.conftest import ROOT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DRIVER = ROOT / "docs" / "website" / "playground" / "test" / "drive.mjs"
EXAMPLES = [example["text"] for example in list_examples()]
FILE = "/home/pyodide/program.py"
SLOWEST_START = 60
"""Seconds. On an idle machine it is a fifth of that; here other tests run beside it."""

pytestmark = pytest.mark.xdist_group("website")


@pytest.fixture(scope="session")
def seen(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the driver saw of the page."""
    if not (site / "playground" / "app").exists() or not any(map(shutil.which, BROWSERS)):
        assert not os.environ.get("CI")
        pytest.skip("needs Node 22 or later, npm, and Chromium: make editors; apt-get install chromium")

    def drive(folder: Path) -> None:
        command = f"source {ROOT}/vscode-client/scripts/node.sh && node {DRIVER} {site}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        (folder / "seen.json").write_text(done.stdout, encoding="utf-8")

    report: dict[str, Any] = json.loads((made_once(tmp_path_factory, "playground", drive) / "seen.json").read_text())
    return report


def expected(text: str) -> list[list[object]]:
    """What the analysis finds here."""
    return [[found.code, found.severity, found.span.row] for found in check_text(text, FILE).findings]


def test_nothing_goes_wrong_and_no_request_leaves(seen: dict[str, Any]):
    assert seen["problems"] == []
    assert seen["elsewhere"] == []
    assert seen["loaded"] > 10
    assert seen["requestsAfterLoading"] == []


def test_it_starts_and_checks_quickly(seen: dict[str, Any]):
    assert seen["loadSeconds"] < SLOWEST_START
    assert seen["first"]["found"] == expected(EXAMPLES[0]) != []
    assert seen["warm"]["found"] == seen["first"]["found"]
    assert seen["warm"]["took"] < 1


def test_a_finding_is_told_and_drawn(seen: dict[str, Any]):
    assert seen["hover"].startswith("IP101 saved-tensor-modified: gate is written here (version 0 -> 1)")
    assert "Help: write out of place: gate = gate.clamp(0.1, 0.8)" in seen["hover"]
    assert [line.partition(" gate")[0].partition(" loss")[0] for line in seen["story"]] == [
        "line 12", "line 13", "line 19",
    ]  # fmt: skip
    assert min(seen["picture"]) > 100
    assert max(seen["sideways"]) <= 1
    assert seen["widthAt500"] == 500


def test_a_repair_is_made(seen: dict[str, Any]):
    assert seen["repaired"]["found"] == []
    assert "        gate = gate.clamp(0.1, 0.8)\n" in seen["repairedText"]


def test_an_error_is_explained(seen: dict[str, Any]):
    [cause] = seen["causes"]
    assert cause.startswith("line 13 IP101 gate is written here")
    assert "torch names SigmoidBackward0" in cause
    assert seen["noMessage"].startswith("This contains no PyTorch error")


def test_what_is_missing_is_said(seen: dict[str, Any]):
    assert seen["newer"]["found"] == [["IP101", "error", 7]]
    assert seen["newerNote"].startswith("No repairs are computed for this program: it uses syntax newer than")


def test_a_link_carries_the_program(seen: dict[str, Any]):
    link = urlsplit(seen["link"])
    assert (link.query, link.fragment.partition("=")[0]) == ("", "program")
    assert "match x.dim():\n    case 1:\n        y = x.exp()" in seen["linked"]


def test_every_example_is_right(seen: dict[str, Any]):
    assert len(seen["examples"]) == len(EXAMPLES) > 40
    assert [example["found"] for example in seen["examples"]] == [expected(text) for text in EXAMPLES]


ALONE = """\
import json, sys
sys.path.insert(0, sys.argv[1])
from playground import Playground
answers = []
for text in json.load(sys.stdin):
    playground = Playground()
    found = json.loads(playground.check(text))["findings"]
    answers.append([json.loads(playground.repair(number))["repairs"] for number in range(len(found))])
    if found:
        assert playground.draw(0).startswith("<svg")
print(json.dumps(answers))
"""


def test_the_archive_needs_nothing_else_and_repairs_the_same(tmp_path: Path):
    write_archive(tmp_path / "analyser.zip")
    assert (tmp_path / "analyser.zip").stat().st_size < 2_000_000
    with ZipFile(tmp_path / "analyser.zip") as archive:
        archive.extractall(tmp_path / "analyser")
        assert [name for name in archive.namelist() if name.endswith(".so") or "/worker/" in name] == []
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE, tmp_path / "analyser"],
        input=json.dumps(EXAMPLES), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for text, answers in zip(EXAMPLES, json.loads(done.stdout), strict=True):
        analysis = check_text(text, FILE)
        repairs = [fixes_for(text, finding, analysis) for finding in analysis.findings]
        assert [[repair["title"] for repair in each] for each in answers] == [
            [fix.message for fix in each] for each in repairs
        ]
