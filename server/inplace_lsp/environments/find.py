"""Choose the environment of a program: the one that is named, activated, or made for its project, else our own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from glob import escape, glob

from inplace_lsp.disk import cut_path
from inplace_lsp.environments.environment import Environment, open_environment

BESIDE = (".venv", "venv", ".pixi/envs/default", ".conda", "env")
"""The folders in which tools and people make the environment of a project beside its files."""
NAMES = ("python3", "python")
"""What the interpreter is called on the PATH."""


@lru_cache(maxsize=1024)
def find_environment(folder: str, named: str = "") -> Environment:
    """Return the environment whose packages a program in `folder` (absolute) imports, the first that has any: as
    `find_environments` yields them, else the one that this program runs in."""
    found = (environment for environment in find_environments(folder, named) if environment.packages)
    return next(found, None) or _find_fallback()


def find_environments(folder: str, named: str = "", variables: Mapping[str, str] = os.environ) -> Iterator[Environment]:
    """Yield the environments that a program in `folder` may be meant for, the likeliest first. `named` is what an
    option, the configuration or an editor names: an interpreter or a folder, absolute; "" if none does."""
    if named:
        yield open_environment(named, "as `python` says")
    if variables.get("VIRTUAL_ENV"):
        yield open_environment(variables["VIRTUAL_ENV"], "activated, VIRTUAL_ENV")
    yield from _find_near(folder, variables.get("UV_PROJECT_ENVIRONMENT", ""))
    if variables.get("CONDA_PREFIX"):
        yield open_environment(variables["CONDA_PREFIX"], "activated, CONDA_PREFIX")


def forget_environments() -> None:
    """Forget what was found: environments may have come or gone."""
    find_environment.cache_clear()
    locate_environment.cache_clear()
    open_environment.cache_clear()
    _find_beside.cache_clear()
    _find_fallback.cache_clear()


@lru_cache(maxsize=64)
def locate_environment(written: str, roots: tuple[str, ...]) -> str | None:
    """Return the path of the interpreter or environment that a user has `written`: absolute, relative to one of
    `roots`, or a command on the PATH. None if there is none."""
    if not written:
        return None
    given = os.path.expanduser(written)
    places = [os.path.normpath(os.path.join(root, given)) for root in roots or ("",)]
    command = _find_command(given, os.environ.get("PATH")) if not os.path.dirname(given) else None
    there = (place for place in (*places, command) if place is not None and os.path.exists(place))
    return next((place for place in there if open_environment(place, "").exists()), None)


def locate_from_here(written: str | None) -> str:
    """Return the path of the interpreter or environment that was written on the command line; "" if it names none on
    this machine."""
    return locate_environment(written or "", (os.getcwd(),)) or ""


def find_on_path(variables: Mapping[str, str] = os.environ) -> str | None:
    """Return the interpreter that a shell would start."""
    return next(filter(None, (_find_command(name, variables.get("PATH")) for name in NAMES)), None)


def _find_command(name: str, path: str | None) -> str | None:
    from shutil import which  # noqa: PLC0415 - takes a while to load, and is seldom needed

    return which(name, path=path)


def _find_near(folder: str, uv: str) -> Iterator[Environment]:
    """Yield the environments beside the files and above, the nearest first."""
    folder = cut_path(folder)
    while True:
        yield from _find_beside(folder, uv)
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


@lru_cache(maxsize=1024)
def _find_beside(folder: str, uv: str) -> tuple[Environment, ...]:
    """Return the environments of a project in `folder`: those inside, and the one that poetry keeps elsewhere."""
    named = [uv] if uv and os.path.exists(os.path.join(folder, "uv.lock")) else []
    places = (os.path.join(folder, *name.split("/")) for name in (*named, *BESIDE))
    found = [open_environment(place, "found beside the files") for place in places if os.path.isdir(place)]
    if os.path.exists(os.path.join(folder, "poetry.lock")):
        found += [open_environment(place, "made by poetry") for place in _find_of_poetry(folder)]
    return tuple(environment for environment in found if environment.exists())


def _find_of_poetry(project: str) -> list[str]:
    """Return the environments that poetry has made for a project, which it names by a hash of the project's folder."""
    import base64  # noqa: PLC0415 - few projects have a lock file of poetry's
    import hashlib  # noqa: PLC0415

    from platformdirs import user_cache_dir  # noqa: PLC0415

    cache = os.environ.get("POETRY_CACHE_DIR") or user_cache_dir("pypoetry", appauthor=False)
    kept = os.environ.get("POETRY_VIRTUALENVS_PATH") or os.path.join(cache, "virtualenvs")
    hashed = hashlib.sha256(os.path.normcase(os.path.realpath(project)).encode()).digest()
    return sorted(glob(os.path.join(escape(kept), f"*-{base64.urlsafe_b64encode(hashed).decode()[:8]}-py*")))


@lru_cache(maxsize=1)
def _find_fallback() -> Environment:
    """Return the environment that this program runs in, or that of the PATH's Python if torch is only there."""
    own = open_environment(sys.prefix, "in which inplace-lsp runs")
    on_path = None if _has_torch(own) else find_on_path()
    other = open_environment(on_path, "of the `python3` on the PATH") if on_path else own
    return other if _has_torch(other) else own


def _has_torch(environment: Environment) -> bool:
    return any(os.path.isdir(os.path.join(packages, "torch")) for packages in environment.packages)
