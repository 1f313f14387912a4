"""An environment on the disk: a virtual one, one of conda, or an installed Python; and where its packages lie."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from glob import escape, glob

from inplace_lsp.disk import read_bytes

LAYOUTS = (
    "lib/py*/site-packages",
    "lib64/py*/site-packages",
    "Lib/site-packages",
    "local/lib/py*/dist-packages",
    "lib/py*/dist-packages",
)
"""Where the packages of an environment lie: under Linux and macOS, Windows, and for Debian's own Python."""
_INTERPRETERS = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
_LARGEST_LIST = 100_000
"""Bytes of a `.pth` or `pyvenv.cfg` beyond which it is not read."""


@dataclass(frozen=True)
class Environment:
    """An environment: its folder, and a clause for people that says why it was chosen."""

    folder: str
    reason: str

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The folders in which its packages lie, those first that are searched first."""
        found = {os.path.realpath(path): path for path in reversed(list(_find_packages(self.folder)))}
        return tuple(reversed(found.values()))  # `lib64` is often a link to `lib`

    def find_interpreter(self) -> str | None:
        """Return the environment's interpreter; None if there is none that can be run."""
        names = (os.path.join(self.folder, *name.split("/")) for name in _INTERPRETERS)
        return next((name for name in names if os.access(name, os.X_OK)), None)

    def exists(self) -> bool:
        """Return whether the folder is that of an environment."""
        return self.find_interpreter() is not None or bool(self.packages)


@lru_cache(maxsize=256)
def open_environment(place: str, reason: str) -> Environment:
    """Return the environment in a folder, or the one that an interpreter belongs to."""
    if not os.path.isfile(place):
        return Environment(place, reason)
    own, installed = (Environment(_find_prefix(path), reason) for path in (place, os.path.realpath(place)))
    return own if own.packages else installed  # /usr/local/bin/python may be a link to the interpreter


def _find_prefix(interpreter: str) -> str:
    folder = os.path.dirname(interpreter)
    return os.path.dirname(folder) if os.path.basename(folder) in ("bin", "Scripts") else folder


def _find_packages(folder: str) -> Iterator[str]:
    found = [path for layout in LAYOUTS for path in sorted(glob(os.path.join(escape(folder), *layout.split("/"))))]
    yield from found
    yield from (path for packages in found for path in _find_added(packages))
    yield from _find_packages_of_base(folder)


def _find_added(packages: str) -> Iterator[str]:
    """Yield the folders that `.pth` files add to the search, as editable installations do. Their code is not run."""
    for file in sorted(glob(os.path.join(escape(packages), "*.pth"))):
        for line in _read_lines(file):
            path = os.path.join(packages, line)
            if line and not line.startswith(("#", "import ", "import\t")) and os.path.isdir(path):
                yield os.path.normpath(path)


def _find_packages_of_base(folder: str) -> Iterator[str]:
    """Yield the packages of the Python that a virtual environment was made with, if it sees them."""
    pairs = (line.partition("=") for line in _read_lines(os.path.join(folder, "pyvenv.cfg")))
    settings = {key.strip(): value.strip() for key, _, value in pairs}
    home = settings.get("home", "")
    if settings.get("include-system-site-packages", "").lower() == "true" and home:
        base = os.path.dirname(home) if os.path.basename(home) == "bin" else home
        if base != folder:
            yield from _find_packages(base)


def _read_lines(file: str) -> Iterable[str]:
    try:
        return [line.strip() for line in read_bytes(file, _LARGEST_LIST).decode("utf-8-sig", "replace").splitlines()]
    except OSError:
        return []
