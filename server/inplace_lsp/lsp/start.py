"""Start the server quickly: with the code that imports generate taken from a cache."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lsp.lsp.code_cache import compile_once, find_cache_path
from inplace_lsp.lsp.lazy_types import import_types

if TYPE_CHECKING:
    from inplace_lsp.lsp.first_answer import FirstMessage


def serve(log_file: str | None = None, log_level: str = "warning", first: FirstMessage | None = None) -> int:
    """Run `server.serve` with cached code. Raises OSError if `log_file` cannot be written."""
    import attr._make  # noqa: PLC0415 - all of this is for the sake of when things are imported

    with compile_once((attr._make, dataclasses), find_cache_path(".code")):
        import_types()
        from inplace_lsp.lsp.server import serve as start  # noqa: PLC0415

    return start(log_file, log_level, first)
