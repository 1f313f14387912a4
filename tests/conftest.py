"""What holds for all tests: whose cache they use, and how little a run of them costs."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kept
import tools  # noqa: F401  (the command line takes this folder out of the module path; what is loaded stays)
from costs import Costs

# Some images for containers set it; each of the hundreds of processes that tests start would compile all it imports.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("OMP_NUM_THREADS", "1")
"""The tensors are tiny: torch's threads would only wait for each other, here and in the processes that tests start."""
MANY = 100
"""So many modules, newly loaded, are worth a look for garbage."""


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Costs())
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it puts in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)  # processes that tests start would not hear it either
    cache = getattr(config, "cache", None)  # there is none with -p no:cacheprovider
    if cache is not None:
        kept.keep_in(cache.mkdir("kept"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # in the process that has started the others
        kept.forget_old()


def pytest_collection_finish() -> None:
    """What is there stays: the collector, which programs of tests call, too, need not look at it again and again."""
    gc.set_threshold(100_000, 20, 20)
    _set_aside()


_modules = 0


def _set_aside() -> None:
    global _modules  # noqa: PLW0603
    _modules = len(sys.modules)
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown() -> None:
    if len(sys.modules) > _modules + MANY:
        _set_aside()


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or writes the cache of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        folder: Path = tmp_path_factory.mktemp("cache")
        patch.setenv("INPLACE_LSP_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def empty_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads the packages that the tests run with, unless its program has an environment of its own."""
    with pytest.MonkeyPatch.context() as patch:
        folder: Path = tmp_path_factory.mktemp("conda")
        (folder / "lib" / "python3" / "site-packages").mkdir(parents=True)
        patch.delenv("VIRTUAL_ENV", raising=False)
        patch.setenv("CONDA_PREFIX", str(folder))
        yield
