"""Look-ups in the op table: the only door to the shipped data."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from inplace_lsp.torch_ops.model import ModuleOp, Overload
from inplace_lsp.torch_ops.packing import unpack_module, unpack_overloads

DATA = Path(__file__).parent / "data"


@cache
def find(name: str) -> tuple[Overload, ...]:
    """The overloads of a callable (`torch.exp`, `torch.Tensor.add_`, `torch.nn.functional.relu`); () if unknown."""
    line = lines("ops.txt").get(name)
    found = unpack_overloads(line) if line else ()
    plain = [one for one in found if "out" not in one.writes]
    if len(plain) == len(found) or not plain or name in _SORTING or any(one.differentiable for one in plain):
        return found
    return tuple(replace(one, out_of_any=True) if "out" in one.writes else one for one in found)


_SORTING = frozenset({"torch.argsort"})
"""Gives indices, but with `out=` sorts values too, which torch refuses."""


@cache
def find_module(name: str) -> ModuleOp | None:
    """The module class of that public name (`torch.nn.ReLU`), None if unknown."""
    line = lines("modules.txt").get(name)
    return unpack_module(line) if line else None


def torch_version() -> str:
    """The torch release the table was generated from."""
    return lines("ops.txt")["#torch"]


def op_names() -> tuple[str, ...]:
    """All names that `find` knows, sorted."""
    return tuple(name for name in lines("ops.txt") if not name.startswith("#"))


def module_names() -> tuple[str, ...]:
    """All names that `find_module` knows, sorted."""
    return tuple(name for name in lines("modules.txt") if not name.startswith("#"))


@cache
def lines(file: str) -> dict[str, str]:
    """The lines of a data file by name. Nothing of them is parsed here: that would cost more than all look-ups."""
    text = (DATA / file).read_text(encoding="utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines())
