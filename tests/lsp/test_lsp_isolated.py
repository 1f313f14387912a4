"""The server's own processes execute nothing that merely lies in the folder where the server was started."""

import os
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
