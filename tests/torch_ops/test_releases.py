"""The columns of other releases of torch: held against what those releases did when programs were run under them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from cli.commandline import inplace_lsp
from inplace_lsp.config import Config
from inplace_lsp.project import check_text
from inplace_lsp.torch_ops.descriptions import list_differences
from inplace_lsp.torch_ops.packing import pack_overloads, pack_releases, unpack_releases
from inplace_lsp.torch_ops.table import (
    find_column,
    find_overloads,
    is_missing,
    list_variants,
    op_names,
    own_release,
    read_lines,
    recorded_releases,
    torch_version,
    use_release,
    variant_names,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RECORDED = tomllib.loads(Path(__file__).with_name("releases.toml").read_text(encoding="utf-8"))
HEAD = "import torch\n\nx = torch.rand(3, 3, requires_grad=True)\n"
RUNS = [(title, release) for title, told in RECORDED.items() for release in (*told["raises"], *told["runs"])]
INSTALLED = torch.__version__.partition("+")[0]


@pytest.mark.parametrize(("title", "release"), RUNS)
def test_the_analysis_says_what_the_release_did(title: str, release: str):
    program = HEAD + RECORDED[title]["program"]
    codes = {finding.code for finding in check_text(program, "/program.py", Config(torch=release)).findings}
    assert codes == ({"IP101"} if release in RECORDED[title]["raises"] else set())


@pytest.mark.parametrize("title", [title for title, release in RUNS if release == INSTALLED])
def test_the_installed_release_does_what_was_recorded(title: str):
    failed = ""
    try:
        exec(compile(HEAD + RECORDED[title]["program"], "program.py", "exec"), {})
    except RuntimeError as error:
        failed = str(error)
    assert ("modified by an inplace operation" in failed) == (INSTALLED in RECORDED[title]["raises"])


def test_every_difference_stands_once():
    for name in variant_names():
        variants = list_variants(name)
        assert variants.keys() <= set(recorded_releases()) - {own_release()}
        assert find_overloads(name) not in variants.values()
        packed = {
            release: None if variant is None else pack_overloads(variant) for release, variant in variants.items()
        }
        assert unpack_releases(pack_releases(packed)) == variants


@pytest.mark.parametrize(
    ("version", "column"),
    [
        ("", ""),
        ("unknown", ""),
        ("1.13.1", "2.1.2"),
        ("2.1", "2.1.2"),
        ("2.5.1+cu124", "2.4.1"),
        ("2.6", "2.6.0"),
        ("2.13.1", ""),
        ("2.14.0", "2.14.1"),
        ("2.15.0a0+git1234", "2.14.1"),
    ],
)
def test_a_release_that_was_not_recorded_is_spoken_for_by_the_one_before(version: str, column: str):
    assert find_column(version) == column


def test_look_ups_speak_of_the_release_that_was_chosen():
    with use_release("2.6.0"):
        assert torch_version() == "2.6.0"
        assert [saved.role for saved in find_overloads("torch.ldexp")[0].saves] == ["input", "other"]
        with use_release("2.13"):
            assert torch_version() == own_release() == "2.13.0"
            assert [saved.role for saved in find_overloads("torch.ldexp")[0].saves] == ["other", "result"]
        assert torch_version() == "2.6.0"
    assert torch_version() == own_release()


def test_names_that_a_release_has_not():
    assert not is_missing("torch.hash_tensor")
    assert "torch.linalg.polar" not in op_names()
    with use_release("2.6"):
        assert is_missing("torch.hash_tensor")
        assert "torch.hash_tensor" not in op_names()
        assert find_overloads("torch.hash_tensor") != ()  # for code that asks torch first
    with use_release("2.14"):
        assert "torch.linalg.polar" in op_names()


def test_the_columns_are_few_lines():
    """What is the same in all releases stands in one place."""
    assert len(variant_names()) < 0.05 * len(read_lines("ops.txt"))


def test_differences_in_words():
    [old] = list_differences("torch.ldexp")
    assert old.startswith("In torch 2.1.2, 2.4.1, 2.6.0, 2.9.1: ldexp saves `input` when `other`")
    assert list_differences("torch.exp") == []
    assert "In torch 2.1.2, 2.4.1, 2.6.0: there is no such name." in list_differences("torch.hash_tensor")
    with use_release("2.6"):
        [new] = list_differences("torch.ldexp")
    assert new.startswith("In torch 2.13.0, 2.14.1: ldexp saves its output")


def make_project(folder: Path, installed: str, settings: str = "") -> Path:
    """Make a project with one module, whose environment has a release of torch; return the module."""
    packages = folder / ".venv" / "lib" / "python3.11" / "site-packages"
    (packages / f"torch-{installed}.dist-info").mkdir(parents=True)
    (packages / "torch_geometric-2.8.1.dist-info").mkdir()
    (folder / "pyproject.toml").write_text(settings)
    (folder / "module.py").write_text(HEAD + RECORDED["ldexp: its result"]["program"])
    return folder / "module.py"


def test_the_projects_torch_is_read_from_its_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    old = make_project(tmp_path / "old", "2.6.0+cu124")
    new = make_project(tmp_path / "new", "2.13.0")
    assert [inplace_lsp("check", file).exit_code for file in (old, new)] == [0, 1]
    monkeypatch.chdir(old.parent)
    assert inplace_lsp("ops", "ldexp").output.startswith("torch.ldexp (torch 2.6.0)\nIn torch 2.13.0, 2.14.1: ")
    monkeypatch.chdir(new.parent)
    assert inplace_lsp("ops", "ldexp").output.startswith("torch.ldexp (torch 2.13.0)\n")
    assert inplace_lsp("ops", "ldexp", "--torch", "2.4").output.startswith("torch.ldexp (torch 2.4.1)\n")


def test_another_release_is_installed_while_we_run(tmp_path: Path):
    file = make_project(tmp_path, "2.6.0")
    assert inplace_lsp("check", file).exit_code == 0
    packages = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    (packages / "torch-2.6.0.dist-info").rename(packages / "torch-2.14.0.dist-info")
    assert inplace_lsp("check", file).exit_code == 1


def test_the_configuration_comes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = make_project(tmp_path, "2.6.0", '[tool.inplace-lsp]\ntorch = "2.13"\n')
    assert inplace_lsp("check", file).exit_code == 1
    monkeypatch.chdir(tmp_path)
    assert inplace_lsp("ops", "ldexp").output.startswith("torch.ldexp (torch 2.13.0)\n")


def test_an_op_that_the_release_has_not():
    result = inplace_lsp("ops", "linalg.polar", "--torch", "2.6")
    assert (result.exit_code, "no op 'linalg.polar' is known for torch 2.6.0" in result.output) == (2, True)
    assert "torch.linalg.polar (torch 2.14.1)" in inplace_lsp("ops", "linalg.polar", "--torch", "2.14").output
