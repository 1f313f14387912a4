"""One warm worker for all tests of this folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with Client(Launch(sys.executable)) as client:
        yield client
