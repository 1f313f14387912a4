"""The workflows of the project, and their steps run as GitHub's runner does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from integrations.conftest import ROOT, clean_environment

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yml"))}
CI, RELEASE = WORKFLOWS["ci"]["jobs"], WORKFLOWS["release"]["jobs"]


def steps_of(job: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for step in job["steps"] if "run" in step]


def run_step(job: dict[str, Any], name: str, folder: Path, tag: str = "") -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub's runner does, in `folder`, for a push of `tag`."""
    [step] = [step for step in steps_of(job) if step.get("name") == name]
    filled = {key: value.replace("${{ github.ref_name }}", tag) for key, value in step.get("env", {}).items()}
    path = f"{Path(sys.executable).parent}:{clean_environment()['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=clean_environment(PATH=path, **filled),
        capture_output=True,
        text=True,
        check=False,
    )
