"""`pytest --inplace` as a person runs it, on a folder of tests of which most fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import inplace_lsp

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
    "PYTHONPATH": str(Path(inplace_lsp.__file__).parent.parent),
    "COLUMNS": "160",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # the plugin may be installed, or not
}
NETWORK = """\
import torch

def train(model):
    y = model(torch.rand(2, 3)).sigmoid()
    y.mul_(2)
    y.sum().backward()
"""
TESTS = """\
import unittest

import pytest
import torch

from network import train

@pytest.fixture
def model():
    return torch.nn.Linear(3, 3)

def test_dies(model):
    train(model)

def test_dies_of_what_came_of_it(model):
    try:
        train(model)
    except RuntimeError as error:
        raise ValueError("training failed") from error

def test_expects_it(model):
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        train(model)

@pytest.mark.xfail(strict=True)
def test_is_known_to_fail(model):
    train(model)

def test_dies_of_something_else(model):
    model(torch.rand(7))

def test_is_out_of_sight():
    def squash(w):
        h = w.exp()
        h.mul_(2)
        return h.sum()
    torch.func.grad(squash)(torch.ones(2))

class TestCase(unittest.TestCase):
    def test_of_a_class(self):
        w = torch.rand(3, requires_grad=True)
        w.mul_(2)

@pytest.fixture
def broken():
    torch.rand(3, requires_grad=True).add_(1)

def test_set_up(broken):
    pass
"""
pytestmark = pytest.mark.xdist_group("pytest-plugin")
MOVED = (
    "In network.py:\nline 5 wrote `y` (version 0 -> 1) after `sigmoid` on line 4 had saved it at version 0; backward"
)


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "inplace_lsp.inside.pytest_plugin", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tests")
    (folder / "network.py").write_text(NETWORK)
    (folder / "test_network.py").write_text(TESTS)
    (folder / "test_fails_at_once.py").write_text("import torch\nw = torch.rand(3, requires_grad=True)\nw += 1\n")
    return folder


@pytest.fixture(scope="module")
def told(folder: Path) -> str:
    done = run_pytest(folder, "--inplace", "--tb=short", "--junitxml=j.xml", "--continue-on-collection-errors")
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def told_by_plain_run(folder: Path) -> str:
    return run_pytest(folder, "--tb=short", "--continue-on-collection-errors").stdout


def report_of(test: str, told: str) -> str:
    """What stands below the title with this name, up to the next title."""
    found = re.search(rf"^_+ {test} _+\n(.*?)(?=^_{{3,}} \S|^={{3,}} )", told, re.DOTALL | re.MULTILINE)
    assert found is not None, told
    return found[1]


def test_a_test_that_died_of_it_gets_the_trace(told: str):
    report = report_of("test_dies", told)
    error, _, trace = re.split(r"^(-+ in-place trace -+)\n", report, flags=re.MULTILINE)
    assert error.rstrip().splitlines()[-1].startswith("E   RuntimeError: one of the variables needed for gradient")
    assert trace.startswith(MOVED)


@pytest.mark.parametrize("test", ["test_dies", "test_dies_of_what_came_of_it", "TestCase.test_of_a_class"])
def test_the_traceback_is_that_of_a_plain_run(told: str, told_by_plain_run: str, test: str):
    assert report_of(test, told).partition("---")[0] == report_of(test, told_by_plain_run)


def test_an_error_that_came_of_it(told: str):
    assert MOVED in report_of("test_dies_of_what_came_of_it", told)


def test_unittest(told: str):
    assert "torch refuses mul_ of `w` on line 42" in report_of("TestCase.test_of_a_class", told)


def test_a_fixture(told: str):
    assert "torch refuses add_" in report_of("ERROR at setup of test_set_up", told)


def test_a_module_that_fails_when_it_is_imported(told: str):
    assert "torch refuses += of `w` on line 3" in report_of("ERROR collecting test_fails_at_once.py", told)


def test_what_cannot_be_watched_is_said(told: str):
    report = report_of("test_is_out_of_sight", told)
    assert "What wrote was not seen: it happened inside of a transform of torch.func (test_network.py:37)" in report


def test_other_errors_are_left_alone(told: str):
    report = report_of("test_dies_of_something_else", told)
    assert "mat1 and mat2" in report
    assert "in-place trace" not in report
    assert "inplace_lsp" not in report


def test_what_passes_without_passes_with_it(told: str):
    assert "= 5 failed, 1 passed, 1 xfailed, 2 errors in" in told


def test_reports_in_files_have_it(told: str, folder: Path):
    [failure] = ElementTree.parse(folder / "j.xml").iterfind(".//testcase[@name='test_dies']/failure")
    assert "line 5 wrote `y`" in (failure.text or "")


LOADED = ("version", "inside", "inside.pytest_plugin")


def test_nothing_is_loaded_without_the_option(tmp_path: Path):
    (tmp_path / "test_names.py").write_text(
        f"import sys\n\nLOADED = {LOADED}\n\n"
        "def test_names():\n"
        "    ours = {name for name in sys.modules if name.startswith('inplace_lsp')}\n"
        "    assert ours == {'inplace_lsp'} | {f'inplace_lsp.{name}' for name in LOADED}\n"
        "    assert 'torch' not in sys.modules\n"
    )
    assert run_pytest(tmp_path).returncode == 0


def test_nothing_is_needed_but_torch_and_pytest(folder: Path):
    """What runs in the process of the tests is of the standard library, but for pytest, torch and what they need."""
    code = (
        "import sys, torch, pytest\n"
        "before = {name.partition('.')[0] for name in sys.modules}\n"
        "pytest.main(['-p', 'inplace_lsp.inside.pytest_plugin', '--inplace', '-k', 'test_dies', 'test_network.py'])\n"
        "installed = {name.partition('.')[0] for name, module in list(sys.modules.items())\n"
        "             if '-packages' in (getattr(module, '__file__', None) or '')}\n"
        "print('loaded:', sorted(installed - before - set(sys.stdlib_module_names)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, check=False
    )
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_no_torch(tmp_path: Path):
    (tmp_path / "torch.py").write_text("raise ImportError('there is none')\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    done = run_pytest(tmp_path, "--inplace")
    assert f"--inplace: {sys.executable} cannot load torch: there is none" in done.stdout + done.stderr
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
