"""Model files that a project brings itself: found below the folders it names, and used for what it imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commandline import inplace_lsp, rows

FUSED = """\
\"\"\"mylib.ops: ops with kernels of their own.\"\"\"

from inplace_lsp.modelling import compute, ignores

DESCRIBES = "mylib 1"


@ignores("block", because="the size of a tile changes no gradient")
def fuse(x, y, block=64):
    \"\"\"Multiply and normalise in one kernel.\"\"\"
    return compute("fuse", [x, y], saves=[x])
"""
PLAIN = FUSED.replace(", saves=[x]", "")
PROGRAM = """\
import torch
from mylib.ops import fuse

x = torch.rand(3, requires_grad=True) * 2
y = fuse(x, x, block=8)
x.add_(1)
y.sum().backward()
"""
SEGMENTS = """\
import torch
from torch.utils.checkpoint import checkpoint_sequential

x = torch.rand(3, requires_grad=True)
y = checkpoint_sequential([torch.exp], 1, x)
y.add_(1)
y.sum().backward()
"""
WITHOUT_TORCH = """\
from mylib.ops import fuse

def step(x):
    y = fuse(x, x)
    x += 1
    y.sum().backward()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that calls a library which no file in sight holds, and its model."""
    monkeypatch.setenv("INPLACE_LSP_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    models = root / "tools" / "inplace_models" / "mylib"
    models.mkdir(parents=True)
    (models / "ops.py").write_text(FUSED)
    (root / "pyproject.toml").write_text('[tool.inplace-lsp]\nmodels = ["tools/inplace_models"]\n')
    (root / "train.py").write_text(PROGRAM)
    return root


def test_a_finding_that_only_the_model_can_tell(project: Path):
    assert rows(project) == [("train.py", 6, "IP101")]
    (project / "pyproject.toml").write_text("[tool.inplace-lsp]\n")
    assert rows(project / "train.py") == []


def test_the_reason_is_in_the_words_of_the_model(project: Path):
    shown = " ".join(inplace_lsp("check", project).stdout.split())  # it is wrapped
    assert "`fuse`: multiply and normalise in one kernel" in shown


def test_the_tape_of_a_finding_knows_the_model(project: Path):
    shown = inplace_lsp("tape", f"{project / 'train.py'}:6")
    assert shown.exit_code == 0
    assert "fuse saves x" in shown.stdout


def test_a_changed_model_file_is_noticed_whatever_was_kept(project: Path):
    model = project / "tools" / "inplace_models" / "mylib" / "ops.py"
    assert rows(project) == [("train.py", 6, "IP101")]
    model.write_text(PLAIN)
    assert rows(project) == []
    model.unlink()
    assert rows(project) == []
    model.write_text(FUSED)
    assert rows(project) == [("train.py", 6, "IP101")]


def test_a_program_need_not_name_torch(project: Path):
    (project / "train.py").write_text(WITHOUT_TORCH)
    assert rows(project) == [("train.py", 5, "IP101")]


def test_a_model_counts_before_the_source_even_of_an_own_package(project: Path):
    (project / "mylib").mkdir()
    (project / "mylib" / "__init__.py").touch()
    (project / "mylib" / "ops.py").write_text("def fuse(x, y, block=64):\n    return x + y\n")
    assert rows(project / "train.py") == [("train.py", 6, "IP101")]


@pytest.mark.parametrize(
    "imported", ["from mylib.ops import fuse", "from mylib import fuse", "import mylib; fuse = mylib.ops.fuse"]
)
def test_a_model_counts_before_the_source_of_an_installed_package(project: Path, imported: str):
    package = project / ".venv" / "lib" / "python3.11" / "site-packages" / "mylib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import ops\nfrom .ops import fuse\n")
    (package / "ops.py").write_text("def fuse(x, y, block=64):\n    return x + y\n")
    (project / "train.py").write_text(PROGRAM.replace("from mylib.ops import fuse", imported))
    assert rows(project / "train.py") == [("train.py", 6, "IP101")]


def test_a_projects_model_counts_before_the_shipped_one(project: Path):
    (project / "train.py").write_text(SEGMENTS)
    assert rows(project) == [("train.py", 6, "IP101")]
    own = project / "tools" / "inplace_models" / "torch" / "utils"
    own.mkdir(parents=True)
    (own / "checkpoint.py").write_text(
        'DESCRIBES = "ours"\n\n\ndef checkpoint_sequential(functions, segments, input):\n'
        "    return input if functions and segments else None\n"
    )
    assert rows(project) == [("train.py", 6, "IP201")]


BROKEN = [
    "def fuse(x, y, block=64:\n    return x\n",
    "\0",
    "def fuse(x):\n    return fuse(x)\n",
    "\udc80",
    "import mylib.ops\n",
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_model_file_costs_nothing_but_itself(project: Path, text: str):
    model = project / "tools" / "inplace_models" / "mylib" / "ops.py"
    model.write_bytes(text.encode("utf-8", "surrogatepass"))
    (project / "train.py").write_text(PROGRAM + "z = x.exp()\nz.add_(1)\nz.sum().backward()\n")
    assert ("train.py", 9, "IP101") in rows(project / "train.py")


@pytest.mark.parametrize("text", ["raise SystemExit\n", "import sys\n\nsys.exit(1)\n", "def fuse(x, y, block=64:\n"])
def test_a_model_file_that_hides_a_finding_is_named_by_a_check_of_the_program_alone(project: Path, text: str):
    (project / "mylib").mkdir()
    (project / "mylib" / "__init__.py").touch()
    (project / "mylib" / "ops.py").write_text("def fuse(x, y, block=64):\n    return (x * y).exp_()\n")
    model = project / "tools" / "inplace_models" / "mylib" / "ops.py"
    model.write_text(text)
    told = inplace_lsp("check", project / "train.py")
    row = len(text.rstrip().split("\n"))
    assert f"ops.py:{row}: IP902: This " in told.stderr
    whole = inplace_lsp("check", project)
    assert "IP902" in whole.stdout and "IP902" not in whole.stderr
    model.write_text(FUSED)
    assert inplace_lsp("check", project / "train.py").stderr == ""
    (project / "pyproject.toml").write_text("[tool.inplace-lsp]\n")
    assert inplace_lsp("check", project / "train.py").stderr == ""
