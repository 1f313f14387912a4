"""The hand-written corrections: one file, each entry with its reason."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.packing import unpack_overload

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).parent.parent / "corrections.toml"


@cache
def _entries() -> dict[str, Any]:
    entries: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return entries


def module_calls() -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """The call that the `forward` of a class amounts to and its arguments, where its source does not just say so."""
    modules = {name: entry for name, entry in _entries().items() if "call" in entry}
    return {name: (entry["call"], tuple(entry["arguments"].items())) for name, entry in modules.items()}


def corrections() -> dict[str, list[Overload]]:
    """The overloads that replace what was derived or observed, by public name. TOML has no null: it is "None" there."""
    found: dict[str, list[Overload]] = {}
    for name, entry in _entries().items():
        if "overloads" not in entry:
            continue
        for packed in entry["overloads"]:
            given = packed.get("given", {})
            nulls = {key: None if value == "None" else value for key, value in given.items()}
            found.setdefault(name, []).append(unpack_overload({**packed, "given": nulls}))
    return found
