"""Look up facts in the op table: the only access to the shipped data.

The table is of one torch release. Where another that was recorded does otherwise, `releases.txt` has what it does: a
column for each release, filled in only where it differs. Look-ups read the column that `use_release` chose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from inplace_lsp.torch_ops.model import ModuleOp, Overload
from inplace_lsp.torch_ops.packing import unpack_module, unpack_overloads, unpack_releases

DATA = Path(__file__).parent / "data"
NAMES_KEPT = 8192
"""Names whose entries are kept unpacked: programs ask for any name that they call a method by."""

_column: ContextVar[str] = ContextVar("torch release", default="")
"""The recorded release that look-ups speak of; "": the one that the table is of."""
_MINOR = re.compile(r"(\d+)\.(\d+)")


@contextmanager
def use_release(version: str) -> Iterator[None]:
    """Let all look-ups in the block speak of torch `version` (`2.6.0`); "": not known."""
    token = _column.set(find_column(version))
    try:
        yield
    finally:
        _column.reset(token)


@cache
def find_column(version: str) -> str:
    """Return the recorded release that speaks for `version`: the newest that is not newer, else the oldest; "" where
    that is the one that the table is of, or nothing is known."""
    wanted = _MINOR.match(version)
    if wanted is None:
        return ""
    recorded = recorded_releases()
    not_newer = [release for release in recorded if _parse_minor(release) <= _parse_minor(version)]
    column = not_newer[-1] if not_newer else recorded[0]
    return "" if column == own_release() else column


def _parse_minor(version: str) -> tuple[int, int]:
    found = _MINOR.match(version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def find_overloads(name: str) -> tuple[Overload, ...]:
    """Return the overloads of a callable (`torch.exp`, `torch.Tensor.add_`, ...); () if unknown."""
    return _find_in_column(name, _column.get())


@lru_cache(maxsize=NAMES_KEPT)
def _find_in_column(name: str, column: str) -> tuple[Overload, ...]:
    found = _find_packed(name, column)
    plain = [overload for overload in found if "out" not in overload.writes]
    if len(plain) == len(found) or not plain or name in _SORTING or any(map(_takes_part_in_graph, plain)):
        return found
    return tuple(replace(overload, out_of_any=True) if "out" in overload.writes else overload for overload in found)


def is_factory(name: str) -> bool:
    """Return whether a function of torch's (`zeros`) makes new leaves."""
    return any(overload.makes_leaf() for overload in find_overloads(f"torch.{name}"))


def _takes_part_in_graph(overload: Overload) -> bool:
    """Return whether an op computes what may require grad, or makes leaves."""
    return bool(overload.differentiable) or overload.makes_leaf()


_SORTING = frozenset({"torch.argsort"})
"""Gives indices, but with `out=` sorts values too, which torch refuses."""


@lru_cache(maxsize=NAMES_KEPT)
def find_module(name: str) -> ModuleOp | None:
    """Return the module class of that public name (`torch.nn.ReLU`); None if unknown."""
    line = read_lines("modules.txt").get(name)
    return unpack_module(line) if line else None


def _find_packed(name: str, column: str) -> tuple[Overload, ...]:
    """Return what the data says; a name that the release of the column does not have is described as in ours."""
    other = list_variants(name).get(column) if column else None
    line = read_lines("ops.txt").get(name)
    return other or (unpack_overloads(line) if line else ())


@lru_cache(maxsize=NAMES_KEPT)
def list_variants(name: str) -> dict[str, tuple[Overload, ...] | None]:
    """Return the recorded releases that treat `name` differently from the one that the table is of, with their
    overloads; None: the release has no such name."""
    line = read_lines("releases.txt").get(name)
    return unpack_releases(line) if line else {}


def is_missing(name: str) -> bool:
    """Return whether the release that look-ups speak of has no such name, although the table knows it."""
    known = read_lines("ops.txt").keys() | read_lines("modules.txt").keys()
    return list_variants(name).get(_column.get(), () if name in known else None) is None


def torch_version() -> str:
    """Return the torch release that look-ups speak of."""
    return _column.get() or own_release()


def recorded_releases() -> tuple[str, ...]:
    """Return the torch releases that the table was made from, the oldest first."""
    return tuple(read_lines("releases.txt")["#torch"].split())


def own_release() -> str:
    """Return the release that the table is of."""
    return read_lines("ops.txt")["#torch"]


def op_names() -> tuple[str, ...]:
    """Return all names that the release has of those that `find_overloads` knows, sorted."""
    own = (name for name in read_lines("ops.txt") if not name.startswith("#"))
    if not _column.get():
        return tuple(own)
    others = (name for name in variant_names() if name not in read_lines("ops.txt") and find_overloads(name))
    return tuple(sorted(name for name in (*own, *others) if not is_missing(name)))


def variant_names() -> tuple[str, ...]:
    """Return all names that some recorded release treats differently from the one that the table is of."""
    return tuple(name for name in read_lines("releases.txt") if not name.startswith("#"))


def module_names() -> tuple[str, ...]:
    """Return all names that `find_module` knows, sorted."""
    return tuple(name for name in read_lines("modules.txt") if not name.startswith("#"))


@cache
def read_lines(file: str) -> dict[str, str]:
    """Return the lines of a data file by name, unparsed: parsing all would cost more than all look-ups."""
    text = (DATA / file).read_text(encoding="utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines())
