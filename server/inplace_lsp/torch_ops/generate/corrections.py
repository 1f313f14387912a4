"""The hand-written corrections: one file, each entry with its reason."""

from __future__ import annotations

import sys
from pathlib import Path

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.packing import unpack_overload

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).parent.parent / "corrections.toml"


def corrections() -> dict[str, list[Overload]]:
    """The overloads that replace what was derived or observed, by public name. TOML has no null: it is "None" there."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))
    found = {}
    for name, entry in entries.items():
        for packed in entry["overloads"]:
            given = packed.get("given", {})
            packed["given"] = {key: None if value == "None" else value for key, value in given.items()}
        found[name] = [unpack_overload(packed) for packed in entry["overloads"]]
    return found
