"""Find the string constant that is being edited: the only difference between two readings of a statement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from inplace_lsp.source import ir

Path = tuple[str | int, ...]
"""The path to a node: names of fields, and positions in tuples."""


def find_typed_text(before: tuple[ir.Statement, ...], now: tuple[ir.Statement, ...]) -> Path | None:
    """Return the path to the only string constant that differs (places do not count); None if nothing or anything else
    differs."""
    found: list[Path] = []
    return found[0] if _are_alike(before, now, (), found) and len(found) == 1 else None


def _are_alike(before: Any, now: Any, path: Path, found: list[Path]) -> bool:
    """Return whether two pieces of IR are equal except for strings, and add the paths of these to `found`."""
    if before is now:
        return True
    kind = type(before)
    if kind is not type(now):
        return False
    if kind is tuple:
        return len(before) == len(now) and all(
            _are_alike(old, new, (*path, at), found) for at, (old, new) in enumerate(zip(before, now, strict=True))
        )
    if kind is ir.Const and type(before.value) is str and type(now.value) is str:
        if before.value != now.value:
            found.append(path)
        return len(found) < 2
    names = getattr(kind, "__slots__", None)
    if names is None:
        return bool(before == now)
    return all(
        _are_alike(getattr(before, name), getattr(now, name), (*path, name), found) for name in names if name != "place"
    )


def forget_text(code: Any, path: Path) -> Any:
    """Return a copy of the code in which the string constant at the path is unknown."""
    if not path:
        return ir.Joined(code.place, ())
    step, *rest = path
    if isinstance(step, int):
        return (*code[:step], forget_text(code[step], tuple(rest)), *code[step + 1 :])
    return replace(code, **{step: forget_text(getattr(code, step), tuple(rest))})
