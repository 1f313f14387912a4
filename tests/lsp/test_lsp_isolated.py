"""The server's own processes execute nothing that merely lies in the folder where the server was started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.editor import Editor, capabilities
from lsp.test_lsp_refine import DOCUMENTED

HAZARD = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
NAMES = "inplace_lsp/__init__ importlib runpy json pickle signal sitecustomize usercustomize jedi encodings/x".split()
SCRIPT = Path(sys.executable).with_name("inplace-lsp")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules leave a mark when they are executed; the server is started in it."""
    folder = tmp_path / "workspace"
    mark = tmp_path / "executed"
    for name in NAMES:
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"open({str(mark)!r}, 'a').write({name!r} + '\\n')\nraise SystemExit\n")
    (folder / "train.py").write_text(HAZARD)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folder for folder in sys.path if folder))
    return folder


@pytest.mark.skipif(not SCRIPT.exists(), reason="the package is not installed as a command")
async def test_a_workspace_is_scanned_and_nothing_of_it_executed(hostile: Path):
    editor = Editor()
    await editor.start(
        capabilities("neovim-0.11.4"),
        (str(SCRIPT), "serve"),
        initialization_options={"diagnosticMode": "workspace"},
        workspace_folders=[types.WorkspaceFolder(hostile.as_uri(), "hostile")],
    )
    try:
        await editor.until(lambda: editor.shown((hostile / "train.py").as_uri()) == ["IP101"])
        documented = (hostile / "documented.py").as_uri()
        editor.open(documented, DOCUMENTED)
        await editor.until(lambda: editor.shown(documented) == ["IP101"])  # jedi has answered
    finally:
        assert await editor.stop() == 0
    assert not (hostile.parent / "executed").exists()


SHADOWED = "queue json asyncio click typing selectors signal pickle logging concurrent jedi lsprotocol torch".split()


@pytest.fixture
def shadowed(tmp_path: Path) -> Path:
    """A folder whose modules leave a mark when they are executed, and in which a `PYTHONPATH` begins."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    for name in SHADOWED:
        mark = tmp_path / "executed"
        (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write({name!r} + '\\n')\n")
    (folder / "train.py").write_text(HAZARD)
    return folder


@pytest.mark.skipif(not SCRIPT.exists(), reason="the package is not installed as a command")
@pytest.mark.parametrize("command", ["check train.py", "check -j2 .", "explain IP101", "ops exp"])
def test_a_command_executes_nothing_of_the_current_folder(shadowed: Path, command: str):
    environment = {**os.environ, "PYTHONPATH": ":/nowhere"}
    for start in ([str(SCRIPT)], [sys.executable, "-m", "inplace_lsp"]):
        words = [*start, *command.split()]
        done = subprocess.run(words, cwd=shadowed, env=environment, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        marks = shadowed.parent / "executed"
        assert not marks.exists(), marks.read_text()


@pytest.mark.skipif(not SCRIPT.exists(), reason="the package is not installed as a command")
def test_a_command_runs_where_its_own_packages_lie():
    packages = Path(pytest.__file__).parent.parent
    assert subprocess.run([str(SCRIPT), "explain", "IP101"], cwd=packages, check=False).returncode == 0
    start = "import subprocess; from inplace_lsp.isolated import command_of; "
    start += "subprocess.run(command_of('inplace_lsp', 'explain', 'IP101'), check=True)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folder for folder in sys.path if folder)}
    assert subprocess.run([sys.executable, "-c", start], cwd=packages, env=environment, check=False).returncode == 0


@pytest.mark.skipif(not SCRIPT.exists(), reason="the package is not installed as a command")
async def test_a_server_executes_nothing_of_the_current_folder(shadowed: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(shadowed)
    monkeypatch.setenv("PYTHONPATH", ":/nowhere")
    editor = Editor()
    await editor.start(capabilities("neovim-0.11.4"), (str(SCRIPT), "serve"))
    try:
        editor.open((shadowed / "train.py").as_uri(), HAZARD)
        await editor.until(lambda: editor.shown((shadowed / "train.py").as_uri()) == ["IP101"])
    finally:
        assert await editor.stop() == 0
    assert not (shadowed.parent / "executed").exists()
