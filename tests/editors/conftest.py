from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from editors import neovim

Open = Callable[..., neovim.Neovim]


LEFT_OUT = f"left out: {neovim.MISSING}"


def _executables() -> list[object]:
    found = neovim.executables() if importlib.util.find_spec("pynvim") else []
    skipped = () if os.environ.get("CI") else (pytest.mark.skip(LEFT_OUT),)
    return list(found) or [pytest.param("", id="none", marks=skipped)]


@pytest.fixture(params=_executables())
def open_neovim(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Start a Neovim with the given settings of the plugin. Where there is none, CI fails, others leave it out."""
    if not request.param:
        pytest.fail(LEFT_OUT)
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with ExitStack() as stack:

        def start(setup: str = "{}", init_text: str = neovim.INIT) -> neovim.Neovim:
            return stack.enter_context(neovim.running(request.param, tmp_path, setup, init_text))

        yield start
