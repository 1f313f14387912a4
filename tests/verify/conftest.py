"""One warm worker for all tests of this folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs import search
from inplace_lsp.verify.launch import Launch


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with Client(Launch(sys.executable)) as client:
        yield client


HIDING = """
from importlib.machinery import PathFinder
HIDDEN = {"torchvision", "PIL", "cv2", "gym", "yaml"}
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name.partition(".")[0] in HIDDEN else find(name, *more)
"""


@pytest.fixture(scope="session")
def client_without_vision(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A worker that finds no library of pictures, and none for YAML, whatever is installed here."""
    folder = tmp_path_factory.mktemp("hiding")
    (folder / "sitecustomize.py").write_text(HIDING, encoding="utf-8")
    with Client(Launch(sys.executable, ("env", f"PYTHONPATH={folder}"))) as client:
        yield client


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what comes after a search that finds nothing, however long it takes."""
    monkeypatch.setattr(search, "SECONDS", 1.0)
