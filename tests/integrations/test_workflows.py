"""The GitHub action and the job for GitLab: valid by their schemas, and their steps do what they say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.commandline import FINE, HAZARD
from integrations.conftest import ROOT, clean_environment, commit_all, made_once

pytestmark = pytest.mark.xdist_group("action")
ACTION = ROOT / "action.yml"
GITLAB = ROOT / "gitlab" / "inplace-lsp.yml"


@pytest.mark.parametrize(("schema", "file"), [("github-actions", ACTION), ("gitlab-ci", GITLAB)])
def test_they_are_valid(schema: str, file: Path):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


class Runner:
    """Runs the steps of the action as GitHub's runner does, but for those that use other actions."""

    def __init__(self, clone: Path, temp: Path) -> None:
        self.path_file = temp / "path"
        self.path_file.touch()
        self.clone, self.temp = clone, temp
        self.steps = {
            step["name"]: step for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"] if "run" in step
        }

    def run(self, step: str, project: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
        declared = yaml.safe_load(ACTION.read_text())["inputs"]
        known = {
            f"inputs.{name}": inputs.get(name.replace("-", "_"), declaration["default"])
            for name, declaration in declared.items()
        }
        known |= {"github.action_path": str(self.clone), "steps.python.outputs.python-path": sys.executable}
        env = {name: filled(value, known) for name, value in self.steps[step]["env"].items()}
        path = ":".join([*self.path_file.read_text().split(), clean_environment()["PATH"]])
        own = {"RUNNER_TEMP": str(self.temp), "GITHUB_PATH": str(self.path_file), "PATH": path}
        own["GITHUB_STEP_SUMMARY"] = str(self.temp / "summary")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.steps[step]["run"]],
            cwd=project,
            env=clean_environment(**own, **env),
            capture_output=True,
            text=True,
            check=False,
        )


def filled(value: str, known: dict[str, Any]) -> str:
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match[1]], value)


@pytest.fixture(scope="session")
def runner(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """With the action's own installation."""

    def install(folder: Path) -> None:
        done = Runner(clone, folder).run("Install inplace-lsp", clone)
        assert done.returncode == 0, done.stderr

    return Runner(clone, made_once(tmp_path_factory, "runner", install))


def test_the_action_annotates_and_fails(runner: Runner, project: Path):
    commit_all(project)
    done = runner.run("Check", project)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error title=inplace-lsp (IP101 saved-tensor-modified),file=")
    assert runner.run("Check", project, args="--exit-zero").returncode == 0
    (project / "train.py").write_text(FINE)
    assert runner.run("Check", project).returncode == 0


def test_the_action_writes_sarif(runner: Runner, project: Path):
    commit_all(project)
    done = runner.run("Write SARIF", project, sarif_file="found.sarif", paths="train.py")
    assert done.returncode == 0, done.stderr
    [run] = json.loads((project / "found.sarif").read_text())["runs"]
    [result] = run["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "train.py"


def test_the_action_writes_a_summary(runner: Runner, project: Path):
    """Once more after the findings were repaired, it stays as it is."""
    commit_all(project)
    for text in (HAZARD, FINE):
        (project / "train.py").write_text(text)
        done = runner.run("Write the summary", project, paths="train.py")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    summary = (runner.temp / "summary").read_text()
    assert summary.startswith("### In-place writes that break gradients\n\n| place | code |")
    assert summary.count("\n| `train.py:5` | error [IP101](") == 1


def test_values_reach_the_steps_of_the_action_as_variables_alone():
    """Written into a script, they would be code."""
    for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_job_for_gitlab_leaves_its_report_and_fails(runner: Runner, project: Path):
    commit_all(project)
    file = yaml.safe_load(GITLAB.read_text())
    job = file["inplace-lsp"]
    variables = {**file["variables"], "INPLACE_LSP_PACKAGE": str(runner.clone), "CI_PROJECT_DIR": str(project)}
    variables["INPLACE_LSP_CACHE_DIR"] = job["variables"]["INPLACE_LSP_CACHE_DIR"].replace(
        "$CI_PROJECT_DIR", str(project)
    )
    path = f"{runner.path_file.read_text().strip()}:{clean_environment()['PATH']}"
    done = subprocess.run(
        ["sh", "-ec", "\n".join(job["script"])],
        cwd=project,
        env=clean_environment(**variables, PATH=path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "train.py:5:1: error[IP101]" in done.stdout
    [issue] = json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text())
    assert (issue["location"]["path"], issue["check_name"]) == ("train.py", "IP101")
