"""Read the hand-written corrections, each with its reason, and the sentences about derivatives."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypedDict

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.packing import PackedOverload, unpack_overload
from tools.op_table.names import METHOD_TWINS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("corrections.toml")
DERIVATIVES = FILE.with_name("derivatives.toml")


class Entry(TypedDict, total=False):
    """What is corrected of one name: its overloads, or the call that a class's `forward` makes."""

    overloads: list[PackedOverload]
    call: str
    arguments: dict[str, str]


@cache
def _read_entries() -> dict[str, Entry]:
    entries: dict[str, Entry] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return entries


@cache
def _read_sentences() -> dict[str, str]:
    sentences: dict[str, str] = tomllib.loads(DERIVATIVES.read_text(encoding="utf-8"))
    return sentences


def add_sentence(name: str, overload: Overload) -> Overload:
    """Return `overload` of the public `name` with the sentence that explains what it saves."""
    base = name.rpartition(".")[2]
    base = METHOD_TWINS.get(base, base)
    known = _read_sentences()
    writes = bool(overload.writes) and "out" not in overload.writes
    keys = [f"{base}_", base] if writes else [base]
    sentence = next((known[key] for key in (*keys, base.rstrip("_")) if key in known), "")
    return replace(overload, derivative=sentence if overload.saves else "")


def module_calls() -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """Return the call that a class's `forward` makes, with its arguments, where the source does not simply show it."""
    modules = {name: entry for name, entry in _read_entries().items() if "call" in entry}
    return {name: (entry["call"], tuple(entry["arguments"].items())) for name, entry in modules.items()}


def read_corrections() -> dict[str, list[Overload]]:
    """Return the overloads that replace derived or observed ones, by public name. TOML writes None as "None"."""
    found: dict[str, list[Overload]] = {}
    for name, entry in _read_entries().items():
        if "overloads" not in entry:
            continue
        for packed in entry["overloads"]:
            given = packed.get("given", {})
            nulls = {key: None if value == "None" else value for key, value in given.items()}
            found.setdefault(name, []).append(unpack_overload({**packed, "given": nulls}))
    return found
