"""Find the folders that a module adds to `sys.path` before it imports from them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse_text
from inplace_lsp.source.split import split_chunks
from inplace_lsp.source.units import normalise_text

_ADDING = ("append", "insert", "extend")


@lru_cache(maxsize=256)
def find_added_folders(text: str) -> tuple[str, ...]:
    """Return the constant folders that a module with this text adds to `sys.path`."""
    chunks = [chunk.text for chunk in split_chunks(normalise_text(text)) if "sys.path" in chunk.text]
    return tuple(dict.fromkeys(folder for chunk in chunks for folder in _find_in_chunk(chunk)))


def _find_in_chunk(chunk: str) -> Iterator[str]:
    try:
        statements = parse_text(chunk)
    except NotParsedError:
        return
    for node in ir.walk_nodes(statements):
        if isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute):
            if node.function.name in _ADDING and _is_search_path(node.function.value) and node.arguments:
                yield from _read_folders(node.arguments[-1].value)
        elif isinstance(node, ir.AugAssign) and _is_search_path(node.target):
            yield from _read_folders(node.value)


def _is_search_path(node: ir.Expr) -> bool:
    return (
        isinstance(node, ir.Attribute)
        and node.name == "path"
        and isinstance(node.value, ir.Name)
        and node.value.id == "sys"
    )


def _read_folders(node: ir.Expr) -> Iterator[str]:
    if isinstance(node, ir.Sequence):
        for item in node.items:
            yield from _read_folders(item)
    elif isinstance(node, ir.Const) and isinstance(node.value, str):
        yield node.value
