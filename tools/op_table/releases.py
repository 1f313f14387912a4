"""The columns of other releases: what the installed torch does otherwise than the one that the table is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.packing import pack_overloads, pack_releases
from inplace_lsp.torch_ops.table import find_overloads, list_variants, op_names, recorded_releases, variant_names
from tools.op_table.names import is_in_torch, resolve_object

Column = dict[str, str | None]
"""The packed overloads of each name that a release treats otherwise; None: it has no such name."""


def build_column(ops: Mapping[str, Sequence[Overload]]) -> Column:
    """Return the column of the installed torch, whose own facts are `ops`.

    A name that exists but of which nothing could be observed here is taken to do what it does in the table's release.
    """
    column: Column = {
        name: pack_overloads(own)
        for name, own in ops.items()
        if _differ(own, find_overloads(name)) and (find_overloads(name) or _is_meant(name))
    }
    return column | {
        name: None for name in op_names() if _is_public(name) and name not in ops and not is_in_torch(name)
    }


def _is_meant(name: str) -> bool:
    """Return whether the name is more than a variable that torch left behind at import (`torch.obj` in torch 2.1)."""
    return getattr(resolve_object(name), "__name__", "") in ("", name.rpartition(".")[2])


def _is_public(name: str) -> bool:
    return not name.rpartition(".")[2].startswith("_")


def _differ(own: Sequence[Overload], table: Sequence[Overload]) -> bool:
    """Return whether a call that the installed torch takes does otherwise here than in the table's release.

    Other parameters alone make no other op, and an overload that only the table has is one that nobody can call here.
    """
    facts, forms = _take_facts(own), set(map(_list_parameters, own))
    special = [overload for overload in table if overload.given and _list_parameters(overload) in forms]
    return not facts <= _take_facts(table) or not _take_facts(special) <= facts


def _take_facts(overloads: Sequence[Overload]) -> frozenset[Overload]:
    """Return what matters to gradients. A call with `out=` takes no part in them."""
    plain = (replace(overload, name="", params=(), derivative="", out_of_any=False) for overload in overloads)
    return frozenset(overload for overload in plain if "out" not in overload.writes)


def _list_parameters(overload: Overload) -> tuple[str, ...]:
    return tuple(param.name for param in overload.params)


def render_columns(release: str, own: Column, own_release: str) -> dict[str, str]:
    """Return the lines of `releases.txt` with the column of `release` in place of what was there for it."""
    releases = sorted({*recorded_releases(), release, own_release}, key=_parse_release)
    columns = {name: own if name == release else _read_column(name) for name in releases if name != own_release}
    names = sorted({name for column in columns.values() for name in column})
    return {"#torch": " ".join(releases), **{name: _render_line(name, columns) for name in names}}


def _read_column(release: str) -> Column:
    """Return the column of a release as the data has it."""
    column: Column = {}
    for name in variant_names():
        variants = list_variants(name)
        if release in variants:
            overloads = variants[release]
            column[name] = None if overloads is None else pack_overloads(overloads)
    return column


def _render_line(name: str, columns: Mapping[str, Column]) -> str:
    """Return what the releases do under one name; those that do the same stand together."""
    same: dict[str | None, list[str]] = {}
    for release, column in columns.items():
        if name in column:
            same.setdefault(column[name], []).append(release)
    return pack_releases({" ".join(releases): packed for packed, releases in same.items()})


def _parse_release(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))
