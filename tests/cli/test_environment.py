"""The environment whose packages a check reads: named, activated, found near the files, else our own; and what is said
of it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp, rows
from environments import LINUX, PROGRAM, ROW, install, make_environment

FOUND = [("train.py", ROW, "IP101")]
ENOUGH = "import torch\n\nx = torch.rand(3, requires_grad=True)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(PROGRAM)
    return folder


def last_line(*arguments: str | Path) -> str:
    return inplace_lsp("check", *arguments).stdout.splitlines()[-1]


def test_without_an_environment_nothing_is_known_of_a_package(project: Path) -> None:
    assert rows(project) == []


@pytest.mark.parametrize("named", ["", "bin/python"])
def test_an_option_names_it(project: Path, tmp_path: Path, named: str) -> None:
    environment = make_environment(tmp_path / "elsewhere")
    assert rows(project, "--python", environment / named) == FOUND


def test_an_option_is_relative_to_the_current_folder(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_environment(tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path)
    assert rows(project, "--python", "elsewhere") == FOUND


def test_the_configuration_names_it(project: Path) -> None:
    make_environment(project / "packages")
    (project / "pyproject.toml").write_text('[tool.inplace-lsp]\npython = "packages"\n')
    assert rows(project) == FOUND
    assert 'python = "' in inplace_lsp("check", "--show-settings", project).stdout


def test_an_option_counts_before_the_configuration(project: Path, tmp_path: Path) -> None:
    make_environment(project / "packages")
    (project / "pyproject.toml").write_text('[tool.inplace-lsp]\npython = "packages"\n')
    empty = make_environment(tmp_path / "empty", package=None)
    assert rows(project, "--python", empty) == []


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_it_is_activated(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, str(make_environment(tmp_path / "elsewhere")))
    assert rows(project) == FOUND
    assert f"elsewhere (activated, {variable})" in last_line(project)


@pytest.mark.parametrize("name", [".venv", "venv", ".pixi/envs/default", ".conda", "env"])
@pytest.mark.parametrize("is_project", [True, False])
def test_it_is_found_beside_the_files_or_above(project: Path, name: str, is_project: bool) -> None:
    make_environment(project / name)
    inside = project / "tools" / "training"
    inside.mkdir(parents=True)
    (project / "train.py").rename(inside / "train.py")
    if is_project:
        (project / "pyproject.toml").touch()
    assert rows(inside) == FOUND
    assert f"{Path(name).name} (found beside the files)" in last_line(inside)


def test_an_activated_one_counts_before_one_beside_the_files_and_that_before_condas(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_environment(project / ".venv")
    monkeypatch.setenv("CONDA_PREFIX", str(make_environment(tmp_path / "conda", package=None)))
    assert rows(project) == FOUND
    monkeypatch.setenv("VIRTUAL_ENV", str(make_environment(tmp_path / "activated", package=None)))
    assert rows(project) == []


@pytest.mark.parametrize("gone", ["no-such-folder", "train.py"])
def test_what_is_activated_and_no_environment_is_passed_over(
    project: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(project / gone))
    make_environment(project / ".venv")
    assert rows(project) == FOUND


def test_uv_may_keep_it_under_another_name(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_PROJECT_ENVIRONMENT", "out/environment")
    make_environment(project / "out" / "environment")
    assert rows(project) == []
    (project / "uv.lock").touch()
    assert rows(project) == FOUND


def test_poetry_keeps_it_elsewhere(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is called by the name of the project and a hash of its folder."""
    hashed = base64.urlsafe_b64encode(hashlib.sha256(str(project.resolve()).encode()).digest()).decode()[:8]
    monkeypatch.setenv("POETRY_VIRTUALENVS_PATH", str(tmp_path / "virtualenvs"))
    make_environment(tmp_path / "virtualenvs" / f"project-{hashed}-py3.11")
    assert rows(project) == []
    (project / "poetry.lock").touch()
    assert rows(project) == FOUND


@pytest.mark.parametrize("has_torch", [True, False])
def test_the_last_is_our_own_unless_torch_is_only_in_that_of_the_path(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_torch: bool
) -> None:
    monkeypatch.delenv("CONDA_PREFIX")
    monkeypatch.setattr(sys, "prefix", str(make_environment(tmp_path / "own")))
    on_path = make_environment(tmp_path / "other", package=None)
    (on_path / LINUX / "torch").mkdir()
    monkeypatch.setenv("PATH", str(on_path / "bin"))
    if has_torch:
        (tmp_path / "own" / LINUX / "torch").mkdir()
    assert rows(project) == (FOUND if has_torch else [])
    assert ("in which inplace-lsp runs" if has_torch else "python3` on the PATH") in last_line(project)


@pytest.mark.parametrize("layout", ["Lib/site-packages", "lib/python3/dist-packages", "lib64/python3.12/site-packages"])
def test_packages_lie_in_several_places(project: Path, tmp_path: Path, layout: str) -> None:
    assert rows(project, "--python", make_environment(tmp_path / "elsewhere", layout)) == FOUND


def test_a_link_to_an_interpreter_leads_to_its_packages(project: Path, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "elsewhere")
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "python").symlink_to(environment / "bin" / "python")
    assert rows(project, "--python", tmp_path / "commands" / "python") == FOUND


def test_a_command_on_the_path_is_an_interpreter(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = make_environment(tmp_path / "elsewhere")
    (environment / "bin" / "python").rename(environment / "bin" / "python3.99")
    monkeypatch.setenv("PATH", str(environment / "bin"))
    assert rows(project, "--python", "python3.99") == FOUND


def test_an_editable_installation_is_followed_and_its_code_is_not_run(project: Path, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "elsewhere", package=None)
    install(tmp_path / "sources")
    bad = f"import os; os.mkdir({str(tmp_path / 'ran')!r})"
    (environment / LINUX / "scaling.pth").write_text(f"# a comment\n{bad}\n{tmp_path / 'sources'}\n/nowhere\n")
    assert rows(project, "--python", environment) == FOUND
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("sees", ["true", "false"])
def test_an_environment_may_see_the_packages_of_its_base(project: Path, tmp_path: Path, sees: str) -> None:
    base = make_environment(tmp_path / "base")
    environment = make_environment(tmp_path / "elsewhere", package=None)
    settings = f"home = {base / 'bin'}\ninclude-system-site-packages = {sees}\n"
    (environment / "pyvenv.cfg").write_text(settings)
    assert rows(project, "--python", environment) == (FOUND if sees == "true" else [])


def test_what_is_installed_later_is_seen_by_the_next_check(project: Path) -> None:
    environment = make_environment(project / ".venv", package=None)
    assert rows(project) == []
    install(environment / LINUX)
    assert rows(project) == FOUND


def test_the_last_line_says_which_it_was_and_what_is_not_installed(project: Path) -> None:
    environment = make_environment(project / ".venv")
    told = f"Packages are read from {environment} (found beside the files)."
    assert last_line(project) == told
    names = "diffusion_parts", "fused_layers", "mesh_tools", "other", "pose_models", "render_tools", "yet_another"
    for name in names:
        (project / f"use_{name}.py").write_text(f"{ENOUGH}from {name}.parts import run\nrun(x)\n")
    (project / "uses_one_more.py").write_text(f"{ENOUGH}from other.parts import make\ny = make(x) + 1\n")
    assert last_line(project) == (
        f"{told} 7 imported packages are not installed there: other, diffusion_parts, fused_layers, mesh_tools, "
        "pose_models and 2 more; what they do is unknown (--python names another environment)."
    )


def test_one_package_is_not_installed(project: Path) -> None:
    environment = make_environment(project / ".venv", package=None)
    assert last_line(project) == (
        f"Packages are read from {environment} (found beside the files). scaling is not installed there; what it does "
        "is unknown (--python names another environment)."
    )
    cached = last_line(project)
    assert cached == last_line(project, "--no-cache")


@pytest.mark.parametrize(
    "imports",
    [
        "import torch, os, argparse\nargparse.ArgumentParser()\n",  # Python's own
        "import numpy as np\nfrom einops import rearrange\nrearrange(x, 'a -> a')\n",  # described by models
        "from helpers import double\ndouble(x)\n",  # the user's own
        "from tools.nothing import double\ndouble(x)\n",  # a folder of the user's own
    ],
)
def test_nothing_is_said_where_no_package_would_be_read(project: Path, imports: str) -> None:
    make_environment(project / ".venv", package=None)
    (project / "helpers.py").write_text("def double(x):\n    return x * 2\n")
    (project / "tools").mkdir()
    (project / "train.py").write_text(f"{ENOUGH}{imports}")
    assert last_line(project) == "Nothing found in 2 files."


def test_what_has_no_source_may_be_installed(project: Path) -> None:
    environment = make_environment(project / ".venv", package=None)
    (environment / LINUX / "scaling.cpython-311-x86_64-linux-gnu.so").touch()
    assert last_line(project) == "Nothing found in 1 file."


def test_formats_for_programs_and_quiet_checks_say_nothing_of_it(project: Path) -> None:
    make_environment(project / ".venv", package=None)
    assert inplace_lsp("check", "--quiet", project).output == ""
    assert json.loads(inplace_lsp("check", "--output-format", "json", project).output) == []


def test_several_environments_are_told_of(tmp_path: Path) -> None:
    for name in "abcde":
        make_environment(tmp_path / name / ".venv")
        (tmp_path / name / "train.py").write_text(PROGRAM)
    lines = inplace_lsp("check", tmp_path).stdout.splitlines()
    assert [line for line in lines if line.startswith("Packages are read from")] == [
        f"Packages are read from {tmp_path / name / '.venv'} (found beside the files)." for name in "abc"
    ]
    assert lines[-1] == "And from 2 more environments; --show-settings names them."
    settings = inplace_lsp("check", "--show-settings", tmp_path).stdout
    assert settings.count("# packages are read from ") == 5


def test_what_is_no_environment_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    refused = inplace_lsp("check", "--python", "train.py")
    assert refused.exit_code == 2
    assert "'train.py': there is no environment of that name in " in refused.output
    (project / "pyproject.toml").write_text('[tool.inplace-lsp]\npython = "gone"\n')
    broken = inplace_lsp("check", ".")
    assert broken.exit_code == 2
    assert f"[tool.inplace-lsp] python = 'gone': there is no environment of that name in {project}" in broken.stderr
    (project / "pyproject.toml").write_text("[tool.inplace-lsp]\npython = 3\n")
    assert "python = 3: must be the path of an interpreter or environment." in inplace_lsp("check", ".").stderr


def test_why_reads_it_too(project: Path, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "elsewhere")
    log = tmp_path / "error.log"
    log.write_text(
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.\n"
    )
    assert inplace_lsp("why", log, project).exit_code == 1
    assert f"train.py:{ROW}:" in inplace_lsp("why", log, project, "--python", environment).stdout


def test_a_command_of_its_own_reads_it_too(project: Path) -> None:
    """As `check` runs in a process of its own, in which nothing was found yet."""
    make_environment(project / ".venv")
    command = [sys.executable, "-m", "inplace_lsp", "check", "--output-format", "concise", "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env=os.environ)
    assert done.stdout.startswith(f"train.py:{ROW}:1: error[IP101]")
    assert done.stdout.endswith("Packages are read from .venv (found beside the files).\n")
