"""Makes torchvision importable, on which several of the libraries here depend, and keeps the programs apart."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import torchvision_stub  # noqa: F401


@pytest.fixture(autouse=True)
def forget_generated_modules() -> Iterator[None]:
    """Forget the code that torch_geometric has generated for classes of the program: it keeps it by their names."""
    yield
    for name in [name for name in sys.modules if name.startswith("__main___")]:
        del sys.modules[name]
