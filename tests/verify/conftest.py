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


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what comes after a search that finds nothing, however long it takes."""
    monkeypatch.setattr(search, "SECONDS", 1.0)
