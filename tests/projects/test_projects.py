"""Projects of several files: torch agrees with their judges, and the static analysis finds just the markers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inplace_lsp.across_files import settle_findings
from inplace_lsp.project import check_text
from kept import kept
from support import Answer, answer, compare

ROOT = Path(__file__).parent
PROJECTS = sorted(path.parent.name for path in ROOT.glob("*/judge.py"))
RUN = """\
import judge
for name in [name for name in vars(judge) if name.startswith(("raises_", "runs_"))]:
    try:
        getattr(judge, name)()
        print(name, "runs")
    except RuntimeError as error:
        print(name, "raises", str(error).replace(chr(10), " "))
"""
OF_TORCH = ("inplace operation", "in-place operation", "leaf Variable", "second time", "is a view")
"""Words by which torch's errors about writes are known."""


def run_judge(project: Path) -> str:
    """Return what each function of a judge came to, one a line."""
    command = [sys.executable, "-c", RUN]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("name", PROJECTS)
def test_torch_agrees_with_the_judge(name: str) -> None:
    texts = tuple(path.read_text(encoding="utf-8") for path in sorted((ROOT / name).rglob("*.py")))
    told = kept("projects", (), (name, *texts), lambda: run_judge(ROOT / name)).splitlines()
    assert told
    for line in told:
        function, outcome = line.split(" ")[:2]
        assert outcome == function.partition("_")[0], line
        assert outcome == "runs" or any(words in line for words in OF_TORCH), line


@pytest.mark.parametrize("name", PROJECTS)
def test_the_static_analysis_agrees_with_the_markers(name: str) -> None:
    files = [path for path in sorted((ROOT / name).rglob("*.py")) if path.name != "judge.py"]
    texts = {str(path): path.read_text(encoding="utf-8") for path in files}
    found = settle_findings({file: check_text(text, file).findings for file, text in texts.items()}, texts.__getitem__)
    for file, text in texts.items():
        here: Answer = answer(finding for finding in found if finding.span.file == file)
        compare(text, here, f"{Path(file).name}: the static analysis")
