"""What brings the program to other places says what the program says: conda, Mason, lspconfig, a container, a tag."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement

from inplace_lsp import __version__
from inplace_lsp.config import tomllib
from integrations.conftest import ROOT, call
from version import CHANGES, PINS, PLACES, read_versions

RELEASE = ROOT / "release"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
REPOSITORY = PROJECT["urls"]["Source"]


def read_yaml(name: str) -> dict[str, dict[str, object]]:
    return yaml.safe_load((RELEASE / name).read_text(encoding="utf-8"))


def as_conda(text: str) -> str:
    requirement = Requirement(text)
    return f"{requirement.name} {requirement.specifier}".rstrip()


def test_the_conda_recipe_requires_what_the_package_requires():
    recipe = read_yaml("conda/recipe.yaml")
    minimum = recipe["context"]["python_min"]
    assert PROJECT["requires-python"] == f">={minimum}"
    [python, *run] = recipe["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert sorted(run) == sorted(map(as_conda, PROJECT["dependencies"]))
    assert recipe["requirements"]["host"][2:] == [*map(as_conda, SETTINGS["build-system"]["requires"])]
    [(command, target)] = PROJECT["scripts"].items()
    assert recipe["build"]["python"] == {"entry_points": [f"{command} = {target}"]}
    assert recipe["about"]["homepage"] == REPOSITORY


def test_the_mason_recipe_has_what_its_registry_asks_for():
    recipe = read_yaml("mason/package.yaml")
    text = {"type": "string", "minLength": 1}
    listed = {"type": "array", "items": text, "minItems": 1}
    schema = {
        "required": ["name", "description", "homepage", "licenses", "languages", "categories", "source", "bin"],
        "properties": {
            **dict.fromkeys(("name", "description", "homepage"), text),
            **dict.fromkeys(("licenses", "languages"), listed),
            "categories": {**listed, "items": {"enum": ["LSP", "DAP", "Linter", "Formatter", "Runtime", "Compiler"]}},
            "source": {"properties": {"id": {"pattern": r"^pkg:pypi/inplace-lsp@\d"}}, "required": ["id"]},
            "bin": {"additionalProperties": {"pattern": "^pypi:"}},
        },
    }
    jsonschema.validate(recipe, schema)
    assert recipe["bin"] == {name: f"pypi:{name}" for name in PROJECT["scripts"]}
    assert f"{recipe['neovim']['lspconfig']}.lua" in {path.name for path in (RELEASE / "lspconfig").iterdir()}


def test_all_files_name_one_repository():
    files = [
        *RELEASE.rglob("*"),
        ROOT / "docs" / "mkdocs.yml",
        ROOT / "vscode-client" / "package.json",
        *ROOT.glob("docs/*.md"),
    ]
    texts = {file: file.read_text(encoding="utf-8") for file in files if file.is_file() and file.suffix != ".pyc"}
    named = {file: set(re.findall(r"https://github\.com/[\w.-]+/inplace-lsp\b", text)) for file, text in texts.items()}
    assert [file for file, found in named.items() if found - {REPOSITORY}] == []


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that a release changes."""
    for name in (*PLACES, *PINS, CHANGES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def version_tool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return call(sys.executable, RELEASE / "version.py", *arguments)


def test_every_file_says_the_same_version():
    assert read_versions(ROOT) == {file: {__version__} for file in PLACES}


def test_a_version_is_written_everywhere_and_its_tag_is_good(checkout: Path):
    assert version_tool("bump", "0.7.0rc1", "--root", checkout).returncode == 0
    done = version_tool("check", "v0.7.0rc1", "--root", checkout)
    assert (done.returncode, done.stderr) == (0, "")
    assert "- `check`: the hazards" in version_tool("notes", "0.7.0rc1", "--root", checkout).stdout


def test_pages_name_the_tag_of_the_release(checkout: Path):
    """And the next one after it; `main` moves, and pre-commit warns of it."""
    for version in ("0.7.0rc1", "0.7.1"):
        assert version_tool("bump", version, "--root", checkout).returncode == 0
        page = (checkout / "docs" / "ci.md").read_text(encoding="utf-8")
        assert page.count(f"inplace-lsp/inplace-lsp@v{version}") == 3
        assert f"    rev: v{version}\n" in page
        assert "@main" not in page


@pytest.mark.parametrize("tag", ["v9.9.9", "0.1.0", "v0.1", "main"])
def test_a_tag_that_the_files_do_not_say_is_refused(tag: str, checkout: Path):
    done = version_tool("check", tag, "--root", checkout)
    assert done.returncode == 1
    assert tag.removeprefix("v") in done.stderr
    assert "Traceback" not in done.stderr


def test_the_checksum_goes_into_the_conda_recipe(checkout: Path, tmp_path: Path):
    (tmp_path / "sdist.tar.gz").write_bytes(b"")
    assert version_tool("conda", tmp_path / "sdist.tar.gz", "--root", checkout).returncode == 0
    assert 'sha256: "e3b0c44298fc1c14' in (checkout / "release" / "conda" / "recipe.yaml").read_text()


def test_the_index_would_show_the_description(built: Path):
    done = call(sys.executable, "-m", "twine", "check", "--strict", *built.glob("inplace_lsp*"))
    assert done.returncode == 0, done.stdout


def test_the_commands_of_the_container_work(built: Path, tmp_path: Path):
    """Run here, in an environment in place of the container's Python."""
    lines = (RELEASE / "docker" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    steps = [line.removeprefix("RUN ") for line in lines if line.startswith("RUN ")]
    assert 'ENTRYPOINT ["inplace-lsp"]' in lines
    venv.create(tmp_path / "python", with_pip=True)
    [wheel] = built.glob("*.whl")
    (tmp_path / "dist").mkdir()
    shutil.copy(wheel, tmp_path / "dist")
    script = "\n".join(steps).replace("/tmp/dist", str(tmp_path / "dist"))
    path = f"export PATH={tmp_path / 'python' / 'bin'}:$PATH\n"
    done = call("sh", "-ec", path + script)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, [f"inplace-lsp, version {__version__}"]), done.stderr
