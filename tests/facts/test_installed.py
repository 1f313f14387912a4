"""The release of torch that a project runs with is looked up once for an analysis, not for each of its functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.facts import installed
from inplace_lsp.facts.modules import Modules

FUNCTION = "def f{}(x):\n    y = x.exp()\n    y.add_(1)\n    return y\n"


def test_a_file_is_asked_about_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    (packages / "torch-2.6.0.dist-info").mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    looked: list[str] = []
    find_in = installed._find_in
    monkeypatch.setattr(installed, "_find_in", lambda folder: looked.append(folder) or find_in(folder))
    text = "import torch\n" + "".join(map(FUNCTION.format, range(5)))
    analysis = analyse_source(text, str(tmp_path / "module.py"), Modules())
    assert analysis.torch == "2.6.0"
    assert len(analysis.findings) == 5
    assert len(looked) == 1
