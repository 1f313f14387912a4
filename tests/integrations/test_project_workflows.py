"""The workflows of the project itself: valid by their schema, complete, and the steps that publish nothing work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from inplace_lsp import __version__
from inplace_lsp.config import tomllib
from integrations.conftest import ROOT, call
from integrations.workflows import CI, FOLDER, RELEASE, WORKFLOWS, run_step, steps_of

PUBLISHING = {"index", "editors", "container", "page"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_they_are_valid(name: str):
    file = FOLDER / f"{name}.yml"
    done = call(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", file)
    assert done.returncode == 0, done.stdout


def test_values_reach_the_steps_as_variables_alone():
    """Written into a script, they would be code."""
    jobs = [job for workflow in WORKFLOWS.values() for job in workflow["jobs"].values()]
    assert [step["run"] for job in jobs for step in steps_of(job) if "${{" in step["run"]] == []


def test_all_systems_and_all_pythons_are_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = [
        classifier.rpartition(" ")[2] for classifier in project["classifiers"] if ":: Python :: 3." in classifier
    ]
    matrix = CI["systems"]["strategy"]["matrix"]
    assert matrix["python"] == promised
    assert [system.partition("-")[0] for system in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_the_sessions_that_are_called_exist():
    done = call(sys.executable, "-m", "nox", "--noxfile", ROOT / "noxfile.py", "--list")
    listed = set(re.findall(r"^[*-] (\S+)", done.stdout, re.MULTILINE))
    versions = CI["systems"]["strategy"]["matrix"]["python"]
    assert {f"{kind}-{version}" for kind in ("package", "unit") for version in versions} <= listed, done.stderr


def test_nothing_is_published_before_all_is_built_and_tried():
    def comes_after(job: str) -> set[str]:
        needed = RELEASE[job].get("needs", [])
        first = {needed} if isinstance(needed, str) else set(needed)
        return first.union(*(comes_after(job) for job in first))

    assert {"build", "try"} <= comes_after("container")
    for job in ("index", "editors", "page"):
        assert {"build", "try", "vsix"} <= comes_after(job)
    rights = {name for name, job in RELEASE.items() if "write" in job.get("permissions", {}).values()}
    assert rights | {"editors"} == PUBLISHING


def test_an_extension_is_made_for_every_platform():
    known = re.findall(r'^  "?([\w-]+)"?: \[', (ROOT / "vscode-client/scripts/targets.mjs").read_text(), re.MULTILINE)
    assert RELEASE["vsix"]["strategy"]["matrix"]["target"] == known


def test_the_tag_is_checked_and_the_notes_are_written(clone: Path):
    def build(name: str, tag: str) -> subprocess.CompletedProcess[str]:
        return run_step(RELEASE["build"], name, clone, tag)

    assert build("Check the tag", "v9.9.9").returncode == 1
    assert build("Write the notes", f"v{__version__}").returncode == 0
    assert (clone / "notes.md").exists()
    (clone / "notes.md").unlink()
